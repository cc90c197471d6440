// Draws a schedule: kernels on workers over time, with the memories and the links below.
"use strict";

const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 4]];

const RIGHT = 58, TOP = 20, GAP = 30, WRAPPED = 66, NARROW = 700, MEMORY = 130, LINK = 18, AXIS = 40;

// Draws the schedule this.data, from the date this.from to this.to (ns).
class Drawing {
	x(ns) { return this.left + ((ns - this.from) / (this.to - this.from)) * this.width; }
	time(x) { return this.from + ((x - this.left) / this.width) * (this.to - this.from); }

	stroke(context, m, i) {
		context.strokeStyle = this.data.lines[m];
		context.lineWidth = 1.6;
		context.setLineDash(dashes[i % dashes.length]);
	}

	draw() {
		const n = this.data.workers.length;
		this.drawn = this.plot.clientWidth;
		this.left = Math.min(this.names, Math.max(56, Math.round(0.32 * this.drawn))); // long names are cut off on narrow screens
		this.width = Math.max(50, this.drawn - this.left - RIGHT);
		this.bottom = TOP + n * this.rowHeight;
		const gap = this.drawn < NARROW ? WRAPPED : GAP;
		this.memoryTop = this.bottom + gap;
		this.memoryBottom = this.memories.length ? this.memoryTop + MEMORY : this.bottom;
		this.linkTop = this.memoryBottom + gap;
		this.height = this.data.links.length ? this.linkTop + this.data.links.length * LINK : this.memoryBottom;
		this.plot.style.height = `${this.height + AXIS}px`;
		this.plot.dataset.from = this.from;
		this.plot.dataset.to = this.to;
		this.spans = [];
		this.drawBoxes();
		this.drawMemories();
		this.drawLinks();
		this.drawAxis();
		this.labels.replaceChildren(...this.spans);
	}

	label(className, text, x, y, width) {
		const span = make("span", { className, textContent: text, title: text });
		span.style.cssText = `left: ${x}px; top: ${y}px;` + (width ? `width: ${width}px;` : "");
		this.spans.push(span);
	}

	// Writes what the part of the plot from y on shows. On narrow screens it has up to three lines, as wide as the plot.
	above(text, y) {
		if (this.drawn < NARROW)
			this.label("unit wrapped", text, 0, y - 4, this.left + this.width);
		else
			this.label("unit", text, this.left, y - 20, this.width);
	}

	// Sizes and places a canvas: as wide as the plot without the names, at full resolution. `top`: y in pixels.
	prepare(canvas, top, height) {
		const ratio = window.devicePixelRatio || 1, c = canvas.getContext("2d");
		canvas.width = Math.round(this.width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.cssText = `left: ${this.left}px; top: ${top}px; width: ${this.width}px; height: ${height}px;`;
		c.scale(ratio, ratio);
		return c;
	}

	drawBoxes() {
		const { rows, workers } = this.data, h = this.rowHeight, pad = h >= 11 ? 2 : h >= 5 ? 1 : 0, every = Math.ceil(14 / h);
		const c = this.prepare(this.boxes, TOP, rows.length * h);
		c.font = `${h >= 20 ? 12 : 10}px "DejaVu Sans", Verdana, sans-serif`;
		c.textBaseline = "middle";
		rows.forEach((row, w) => {
			const y = w * h + pad, full = h - 2 * pad;
			c.fillStyle = "#eeeeee";
			c.fillRect(0, y, this.width, full);
			if (this.causes.shown)
				this.drawRow(c, this.causes.rows[w], y, full, this.causes.colours, true);
			const busy = this.drawKernels(c, row, y, full);
			if (w % every === 0) {
				this.label("name", workers[w], 0, TOP + w * h + h / 2 - 8, this.left - 8);
				this.label("busy", `${Math.round((100 * busy) / (this.to - this.from))} %`, this.left + this.width + 6, TOP + w * h + h / 2 - 8);
			}
		});
		this.label("busy", "busy", this.left + this.width + 6, 2);
		if (this.causes.shown)
			this.causes.drawChain(c, this, h, pad);
		this.drawArrivals(c, rows.length * h);
		this.outline(c, h, pad);
	}

	// Draws a dashed line where a graph arrives, with its name above.
	drawArrivals(c, height) {
		c.strokeStyle = "#000000";
		c.lineWidth = 1.2;
		c.setLineDash([5, 3]);
		c.beginPath();
		for (const [date, graph] of this.data.arrivals.filter(([date]) => date >= this.from && date < this.to)) {
			const x = this.x(date);
			c.moveTo(x - this.left, 0);
			c.lineTo(x - this.left, height);
			this.label("arrival", graph, x, 2, this.left + this.width - x);
		}
		c.stroke();
		c.setLineDash([]);
	}

	// Draws the kernels of a worker, and returns its busy time (ns).
	drawKernels(c, row, y, full) {
		const pixel = 1 / (window.devicePixelRatio || 1), ends = [];
		const busy = this.drawRow(c, row, y, full, this.data.colours, false, (i, x, right) => {
			if (row.task[i] < 0)
				return;
			if (right - x > 6)
				ends.push(Math.floor(right));
			this.writeName(c, row.kernel[i], x * pixel, right * pixel, y + full / 2, full);
		});
		c.fillStyle = "#ffffffb0";
		for (const at of ends)
			c.fillRect(at * pixel, y, pixel, full);
		return busy;
	}

	// Draws the boxes of a worker. Neighbouring pixels with one box only are drawn as one rectangle. For pixels
	// with several boxes, the height is their share of the time, and the colour is that of the kernel with most time.
	// Boxes stand on the lower edge of the row, or hang from the upper one. Calls each() with the edges, in pixels of
	// the screen, of all boxes that are wider than a pixel. Returns the sum of their time (ns).
	drawRow(c, row, y, full, colours, hang, each = () => {}) {
		const pixel = 1 / (window.devicePixelRatio || 1), perPixel = ((this.to - this.from) / this.width) * pixel;
		const mixed = new Map();
		let busy = 0, column = -1;
		const fill = (kernel, first, last, share) => {
			c.fillStyle = colours[kernel];
			c.fillRect(first * pixel, hang ? y : y + full * (1 - share), (last - first) * pixel, full * share);
		};
		const flush = () => {
			let sum = 0, most = -1;
			mixed.forEach((time, kernel) => {
				sum += time;
				most = most < 0 || time > mixed.get(most) ? kernel : most;
			});
			if (sum > 0)
				fill(most, column, column + 1, Math.min(1, sum / perPixel));
			mixed.clear();
		};
		const add = (kernel, at, time) => {
			if (at !== column)
				flush();
			column = at;
			mixed.set(kernel, (mixed.get(kernel) ?? 0) + time);
		};
		for (let i = search(row.n, (k) => row.end[k] > this.from); i < row.n && row.start[i] < this.to; i++) {
			const start = Math.max(row.start[i], this.from), end = Math.min(row.end[i], this.to), kernel = row.kernel[i];
			const share = row.task[i] < 0 ? -row.task[i] / 1000 : 1, x = (start - this.from) / perPixel, right = (end - this.from) / perPixel;
			const first = Math.floor(x), last = Math.floor(right);
			busy += (end - start) * share;
			if (first === last) {
				add(kernel, first, (end - start) * share);
				continue;
			}
			add(kernel, first, (first + 1 - x) * perPixel * share);
			if (last > first + 1)
				fill(kernel, first + 1, last, share);
			add(kernel, last, (right - last) * perPixel * share);
			each(i, x, right);
		}
		flush();
		return busy;
	}

	// Writes the kernel's name on its box if there is room: names distinguish kernels even without colours.
	writeName(c, kernel, x, right, y, height) {
		const name = this.data.kernels[kernel];
		this.widths ??= [];
		const width = (this.widths[kernel] ??= c.measureText(name).width);
		if (height < 12 || right - x < width + 8)
			return;
		c.fillStyle = isDark(this.data.colours[kernel]) ? "#ffffff" : "#1a1a1a";
		c.fillText(name, (x + right - width) / 2, y + 0.5);
	}

	outline(c, h, pad) {
		if (!this.picked)
			return;
		const [w, i] = this.picked, row = this.data.rows[w];
		c.strokeStyle = "#000000";
		c.lineWidth = 2;
		if (i >= 0)
			c.strokeRect(this.x(row.start[i]) - this.left, w * h + pad, Math.max(2, this.x(row.end[i]) - this.x(row.start[i])), h - 2 * pad);
		else
			c.strokeRect(1, w * h + pad, this.width - 2, h - 2 * pad);
	}

	drawMemories() {
		if (!this.memories.length) {
			this.lines.style.display = "none";
			return;
		}
		const { used, bound, memoryUnits } = this.data, c = this.prepare(this.lines, this.memoryTop, MEMORY + 1);
		const most = Math.max(1, ...this.memories.map((m) => used[m].bytes.reduce((a, b) => Math.max(a, b), 0)));
		const hasBound = bound && bound <= 2 * most, top = Math.max(most, hasBound ? bound : 0) * 1.06;
		const [unit, name] = memoryUnits.find(([size]) => most >= 2 * size) ?? [1, "B"], step = niceStep(top / unit, 4);
		const y = (bytes) => MEMORY - (bytes / top) * MEMORY;
		c.lineWidth = 1;
		for (let value = 0; value <= top / unit; value += step) {
			c.strokeStyle = value ? "#dddddd" : "#888888";
			c.beginPath();
			c.moveTo(0, Math.round(y(value * unit)) + 0.5);
			c.lineTo(this.width, Math.round(y(value * unit)) + 0.5);
			c.stroke();
			this.label("level", Number(value.toPrecision(6)), 0, this.memoryTop + y(value * unit) - 8, this.left - 8);
		}
		const of = bound ? `; ${hasBound ? "dotted: " : ""}the bound of a GPU, ${memoryText(bound, memoryUnits)}` : "";
		this.above(`memory used (${name})` + of, this.memoryTop);
		this.memories.forEach((m, i) => this.drawMemory(c, used[m], m, i, y));
		if (hasBound) {
			c.strokeStyle = "#000000";
			c.lineWidth = 1.2;
			c.setLineDash([1.5, 3]);
			c.beginPath();
			c.moveTo(0, y(bound));
			c.lineTo(this.width, y(bound));
			c.stroke();
		}
	}

	drawMemory(c, used, m, i, y) {
		let k = Math.max(0, search(used.n, (j) => used.date[j] > this.from) - 1);
		this.stroke(c, m, i);
		c.beginPath();
		c.moveTo(this.x(used.date[k]) - this.left, y(used.bytes[k]));
		for (; k < used.n && used.date[k] <= this.to; k++) {
			c.lineTo(this.x(used.date[k]) - this.left, y(used.bytes[Math.max(0, k - 1)]));
			c.lineTo(this.x(used.date[k]) - this.left, y(used.bytes[k]));
		}
		c.lineTo(this.width, y(used.bytes[Math.max(0, k - 1)]));
		c.stroke();
	}

	// Draws each link as a row: the height is its use, as a share of what it could pass at that moment.
	drawLinks() {
		const { links, linkUse, otherLinks } = this.data;
		if (!links.length) {
			this.flows.style.display = "none";
			return;
		}
		const c = this.prepare(this.flows, this.linkTop, links.length * LINK), full = LINK - 3;
		links.forEach((link, l) => {
			const y = l * LINK + 1, top = this.linkTop + l * LINK + LINK / 2 - 8;
			c.fillStyle = "#eeeeee";
			c.fillRect(0, y, this.width, full);
			const mean = this.drawLink(c, linkUse[l], y, full);
			this.label("name", link, 0, top, this.left - 8);
			this.label("use", `${Math.round(100 * mean)} %`, this.left + this.width + 6, top);
		});
		const others = otherLinks ? `; ${otherLinks} ${otherLinks === 1 ? "link is" : "links are"} used less` : "";
		this.above(`links: use, as a share of what each can pass at the moment${others}`, this.linkTop);
		this.label("use", "mean", this.left + this.width + 6, this.linkTop - 20);
	}

	// Draws the mean use of a link in each pixel. Returns the mean of the visible time.
	drawLink(c, use, y, full) {
		const pixel = 1 / (window.devicePixelRatio || 1), perPixel = ((this.to - this.from) / this.width) * pixel, n = Math.ceil(this.width / pixel);
		let k = Math.max(0, search(use.n, (j) => use.date[j] > this.from) - 1), sum = 0;
		c.fillStyle = "#4d4d4d";
		for (let p = 0; p < n; p++) {
			const from = this.from + p * perPixel, to = Math.min(from + perPixel, this.to);
			let passed = 0;
			for (; k < use.n; k++) {
				passed += use.share[k] * Math.max(0, Math.min(use.date[k + 1], to) - Math.max(use.date[k], from));
				if (use.date[k + 1] > to)
					break;
			}
			const height = (full * passed) / perPixel;
			c.fillRect(p * pixel, y + full - height, pixel, height);
			sum += passed;
		}
		return sum / (this.to - this.from);
	}

	drawAxis() {
		const span = this.to - this.from, [unit, name] = timeUnit(span), step = niceStep(span / unit, Math.max(2, this.width / 95));
		const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
		for (let k = Math.ceil(this.from / unit / step - 1e-9); k * step * unit <= this.to * (1 + 1e-12); k++)
			this.label("tick", (k * step).toFixed(digits), this.x(k * step * unit), this.height + 4);
		this.label("unit", `time (${name})`, this.left + this.width / 2 - 30, this.height + 21);
	}
}
