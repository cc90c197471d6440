// Schedules: kernels on workers over time, the memories below; zoomed and panned together.
"use strict";

const decode = (data) => {
	data.rows = data.boxes.map((flat) => {
		const n = flat.length / 4, row = { n, start: new Float64Array(n), end: new Float64Array(n), kernel: new Int32Array(n), task: new Int32Array(n) };
		for (let i = 0, at = 0; i < n; i++) {
			row.start[i] = at + flat[4 * i];
			at = row.end[i] = row.start[i] + flat[4 * i + 1];
			row.kernel[i] = flat[4 * i + 2];
			row.task[i] = flat[4 * i + 3];
		}
		return row;
	});
	data.used = data.samples.map((flat) => {
		const n = flat.length / 2, used = { n, date: new Float64Array(n), bytes: new Float64Array(n) };
		for (let i = 0, date = 0, bytes = 0; i < n; i++) {
			used.date[i] = date += flat[2 * i];
			used.bytes[i] = bytes += flat[2 * i + 1];
		}
		return used;
	});
	delete data.boxes;
	delete data.samples;
	return data;
};

// The first i of n for which `after` holds.
const search = (n, after) => {
	let low = 0, high = n;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (after(middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
};

// A step of 1, 2 or 5 times a power of ten, of which about `n` make the span.
const niceStep = (span, n) => {
	const power = 10 ** Math.floor(Math.log10(span / n)), rest = span / n / power;
	return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
};

const timeUnit = (span) => (span >= 2e9 ? [1e9, "s"] : span >= 2e6 ? [1e6, "ms"] : [1e3, "µs"]);
const memoryUnits = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];
const memoryText = (bytes) => {
	const [unit, name] = memoryUnits.find(([size]) => bytes >= size) ?? [1, "B"];
	return `${Number((bytes / unit).toPrecision(4))} ${name}`;
};
const timeText = (ns) => {
	const [unit, name] = ns >= 1e9 ? [1e9, "s"] : ns >= 1e6 ? [1e6, "ms"] : [1e3, "µs"];
	return `${(ns / unit).toFixed(3)} ${name}`;
};
const isDark = (colour) => {
	const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
	return 0.299 * r + 0.587 * g + 0.114 * b < 140;
};
const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 4]];

const RIGHT = 58, TOP = 20, GAP = 30, MEMORY = 130, AXIS = 40;

class Schedule {
	constructor(figure) {
		this.data = decode(JSON.parse(figure.querySelector("script").textContent));
		this.chart = figure.querySelector(".chart");
		this.from = 0;
		this.to = this.data.end || 1;
		this.picked = null; // [worker, box]
		this.memories = this.data.used.map((used, m) => m).filter((m) => this.data.used[m].n > 0);
		const n = this.data.workers.length;
		this.rowHeight = n <= 24 ? 24 : n <= 64 ? 16 : n <= 128 ? 11 : Math.max(2, Math.floor(1500 / n));
		this.left = Math.min(170, 30 + 7.6 * Math.max(4, ...this.data.workers.map((name) => Math.min(18, name.length))));
		this.build();
		this.draw();
		new ResizeObserver(() => requestAnimationFrame(() => {
			if (this.plot.clientWidth !== this.drawn)
				this.draw();
		})).observe(this.plot);
	}

	build() {
		const button = (text, title, act) => {
			const element = make("button", { type: "button", textContent: text, title });
			element.setAttribute("aria-label", title);
			element.addEventListener("click", act);
			return element;
		};
		this.task = make("input", { type: "number", min: 0, step: 1 });
		this.task.addEventListener("change", () => this.findTask(Number(this.task.value)));
		const bar = make("div", { className: "controls" },
			button("+", "Zoom in", () => this.zoom(0.5)), button("−", "Zoom out", () => this.zoom(2)),
			button("◀", "Earlier", () => this.pan(-0.4)), button("▶", "Later", () => this.pan(0.4)),
			button("Whole", "The whole schedule", () => this.view(0, this.data.end)),
			make("label", {}, "task ", this.task));
		this.plot = make("div", { className: "plot", tabIndex: 0 });
		this.plot.setAttribute("role", "application");
		this.plot.setAttribute("aria-label", `Schedule of ${this.data.name}. Plus and minus zoom, left and right pan, 0 shows all; up and down choose a worker, comma and full stop its tasks.`);
		this.boxes = make("canvas", {});
		this.lines = make("canvas", {});
		this.labels = make("div", {});
		this.tip = make("div", { className: "tip", hidden: true });
		this.plot.append(this.boxes, this.lines, this.labels, this.tip);
		this.said = make("p", { className: "said" });
		this.said.setAttribute("role", "status");
		this.chart.replaceChildren(bar, this.kernelLegend(), this.plot, this.memoryLegend(), this.said,
			make("p", { className: "keys", textContent: "Drag: pan. Shift and drag: zoom to what is marked. Wheel, once the chart is clicked, or with Ctrl: zoom. "
				+ "Keys: + − ← → 0; ↑ ↓ a worker, comma and full stop its tasks." + this.reduced() }));
		this.listen();
	}

	reduced() {
		const { merged, column } = this.data;
		return merged ? ` Of ${merged.toLocaleString("en")} executions, neighbours shorter than ${timeText(column)} are drawn as one: as high as the share of the time that they take, in the colour of most of it.` : "";
	}

	kernelLegend() {
		const list = make("ul", { className: "legend" }), seen = new Set(this.data.rows.flatMap((row) => [...new Set(row.kernel)]));
		let others = false;
		this.data.kernels.forEach((kernel, k) => {
			if (!seen.has(k))
				return;
			const grey = this.data.colours[k] === "#bbbbbb";
			if (grey && others)
				return;
			others ||= grey;
			const square = make("i", {});
			square.style.background = this.data.colours[k];
			list.append(make("li", {}, square, grey ? "other kernels" : kernel));
		});
		return list;
	}

	memoryLegend() {
		const list = make("ul", { className: "legend" });
		this.memories.forEach((m, i) => {
			const line = make("canvas", { width: 68, height: 24 }), c = line.getContext("2d");
			line.style.width = "34px";
			c.scale(2, 2);
			this.stroke(c, m, i);
			c.beginPath();
			c.moveTo(0, 6);
			c.lineTo(34, 6);
			c.stroke();
			list.append(make("li", {}, line, `${this.data.memories[m]}, used`));
		});
		return list;
	}

	stroke(context, m, i) {
		context.strokeStyle = this.data.lines[m];
		context.lineWidth = 1.6;
		context.setLineDash(dashes[i % dashes.length]);
	}

	// What is seen: from and to, in ns. No less than a thousand, and never beyond the ends.
	view(from, to) {
		const end = this.data.end || 1, span = Math.min(end, Math.max(to - from, Math.min(end, 1000)));
		this.from = Math.min(Math.max(0, (from + to - span) / 2), end - span);
		this.to = this.from + span;
		this.draw();
	}

	zoom(factor, at = (this.from + this.to) / 2) {
		this.view(at - (at - this.from) * factor, at + (this.to - at) * factor);
	}

	pan(share) {
		const step = share * (this.to - this.from), fits = Math.min(Math.max(step, -this.from), this.data.end - this.to);
		this.view(this.from + fits, this.to + fits);
	}

	x(ns) { return this.left + ((ns - this.from) / (this.to - this.from)) * this.width; }
	time(x) { return this.from + ((x - this.left) / this.width) * (this.to - this.from); }

	draw() {
		const n = this.data.workers.length;
		this.drawn = this.plot.clientWidth;
		this.width = Math.max(50, this.drawn - this.left - RIGHT);
		this.bottom = TOP + n * this.rowHeight;
		this.memoryTop = this.bottom + GAP;
		this.height = this.memories.length ? this.memoryTop + MEMORY : this.bottom;
		this.plot.style.height = `${this.height + AXIS}px`;
		this.plot.dataset.from = this.from;
		this.plot.dataset.to = this.to;
		this.spans = [];
		this.drawBoxes();
		this.drawMemories();
		this.drawAxis();
		this.labels.replaceChildren(...this.spans);
	}

	label(className, text, x, y, width) {
		const span = make("span", { className, textContent: text, title: text });
		span.style.cssText = `left: ${x}px; top: ${y}px;` + (width ? `width: ${width}px;` : "");
		this.spans.push(span);
	}

	// A canvas of the plot's width less the names, with sharp pixels; (0, 0) is where `top` is.
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
			const busy = this.drawWorker(c, row, y, full);
			if (w % every === 0) {
				this.label("name", workers[w], 0, TOP + w * h + h / 2 - 8, this.left - 8);
				this.label("busy", `${Math.round((100 * busy) / (this.to - this.from))} %`, this.left + this.width + 6, TOP + w * h + h / 2 - 8);
			}
		});
		this.label("busy", "busy", this.left + this.width + 6, 2);
		this.outline(c, h, pad);
	}

	// Pixels that are of one box alone are drawn together. What shares a pixel is summed up: that is as high as the share of it that is
	// taken, in the colour of most of it. Returns how long the worker was busy.
	drawWorker(c, row, y, full) {
		const pixel = 1 / (window.devicePixelRatio || 1), perPixel = ((this.to - this.from) / this.width) * pixel;
		const mixed = new Map(), ends = [];
		let busy = 0, column = -1;
		const fill = (kernel, first, last, share) => {
			c.fillStyle = this.data.colours[kernel];
			c.fillRect(first * pixel, y + full * (1 - share), (last - first) * pixel, full * share);
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
			if (right - x > 6 && row.task[i] >= 0)
				ends.push(last);
			if (row.task[i] >= 0)
				this.writeName(c, kernel, x * pixel, right * pixel, y + full / 2, full);
		}
		flush();
		c.fillStyle = "#ffffffb0";
		for (const at of ends)
			c.fillRect(at * pixel, y, pixel, full);
		return busy;
	}

	// Names tell kernels apart in grey, where there is room.
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
		const { used, bound } = this.data, c = this.prepare(this.lines, this.memoryTop, MEMORY + 1);
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
		this.label("unit", `memory used (${name})` + (bound ? `; ${hasBound ? "dotted: " : ""}the bound of a GPU, ${memoryText(bound)}` : ""), this.left, this.memoryTop - 20);
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

	drawAxis() {
		const span = this.to - this.from, [unit, name] = timeUnit(span), step = niceStep(span / unit, Math.max(2, this.width / 95));
		const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
		for (let k = Math.ceil(this.from / unit / step - 1e-9); k * step * unit <= this.to * (1 + 1e-12); k++)
			this.label("tick", (k * step).toFixed(digits), this.x(k * step * unit), this.height + 4);
		this.label("unit", `time (${name})`, this.left + this.width / 2 - 30, this.height + 21);
	}

	describe(w, i) {
		const row = this.data.rows[w], worker = this.data.workers[w], kernel = this.data.kernels[row.kernel[i]];
		const times = `${timeText(row.start[i])} to ${timeText(row.end[i])}, ${timeText(row.end[i] - row.start[i])}`;
		if (row.task[i] >= 0)
			return `task ${row.task[i]}: ${kernel}\n${worker}\n${times}`;
		return `several tasks, most of it ${kernel}\n${worker}, ${Math.round(-row.task[i] / 10)} % busy\n${times}`;
	}

	// What the pointer is at: [worker, box], or null.
	hit(x, y) {
		const w = Math.floor((y - TOP) / this.rowHeight), at = this.time(x), row = this.data.rows[w];
		if (!row || x < this.left || x > this.left + this.width)
			return null;
		const i = search(row.n, (k) => row.end[k] > at);
		return i < row.n && row.start[i] <= at ? [w, i] : null;
	}

	hover(x, y) {
		const found = this.hit(x, y), at = this.time(x), inside = x >= this.left && x <= this.left + this.width;
		let text = found ? this.describe(...found) : "";
		if (inside && this.memories.length && y > this.memoryTop && y < this.height)
			text = timeText(at) + this.memories.map((m) => {
				const used = this.data.used[m], k = search(used.n, (j) => used.date[j] > at) - 1;
				return `\n${this.data.memories[m]}: ${memoryText(k < 0 ? 0 : used.bytes[k])}`;
			}).join("");
		this.tip.hidden = !text;
		this.tip.textContent = text;
		if (text) {
			const room = this.plot.clientWidth - this.tip.offsetWidth - 4;
			this.tip.style.left = `${Math.max(0, Math.min(room, x + 14))}px`;
			this.tip.style.top = `${y + 16}px`;
		}
	}

	pick(w, i) {
		this.picked = [w, i];
		this.said.textContent = i >= 0 ? this.describe(w, i).replaceAll("\n", ", ") : this.data.workers[w];
		const row = this.data.rows[w], span = this.to - this.from;
		if (i >= 0 && (row.start[i] < this.from || row.end[i] > this.to))
			this.view((row.start[i] + row.end[i] - span) / 2, (row.start[i] + row.end[i] + span) / 2);
		else
			this.draw();
	}

	findTask(task) {
		for (let w = 0; w < this.data.rows.length; w++) {
			const row = this.data.rows[w], i = row.task.indexOf(task);
			if (i < 0)
				continue;
			const length = row.end[i] - row.start[i], middle = (row.start[i] + row.end[i]) / 2;
			if (this.to - this.from > 20 * length)
				this.view(middle - 6 * length, middle + 6 * length);
			this.pick(w, i);
			return;
		}
		this.said.textContent = `Task ${task} is not there by itself.`;
	}

	key(event) {
		const [w, i] = this.picked ?? [-1, -1], n = this.data.rows.length;
		const step = (by) => {
			const row = this.data.rows[Math.max(0, w)], first = search(row.n, (k) => row.end[k] > this.from);
			return row.n === 0 ? -1 : i < 0 ? Math.min(first, row.n - 1) : Math.min(Math.max(0, i + by), row.n - 1);
		};
		const acts = {
			"+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), "0": () => this.view(0, this.data.end), "Home": () => this.view(0, this.data.end),
			"ArrowLeft": () => this.pan(-0.2), "ArrowRight": () => this.pan(0.2),
			"ArrowUp": () => this.pick(Math.max(0, w - 1), -1), "ArrowDown": () => this.pick(Math.min(n - 1, w + 1), -1),
			",": () => this.pick(Math.max(0, w), step(-1)), ".": () => this.pick(Math.max(0, w), step(1)),
			"Escape": () => { this.picked = null; this.said.textContent = ""; this.draw(); },
		};
		if (event.ctrlKey || event.altKey || event.metaKey || !acts[event.key])
			return;
		event.preventDefault();
		acts[event.key]();
	}

	listen() {
		const place = (event) => {
			const box = this.plot.getBoundingClientRect();
			return [event.clientX - box.left, event.clientY - box.top];
		};
		let drag = null;
		this.plot.addEventListener("keydown", (event) => this.key(event));
		this.plot.addEventListener("wheel", (event) => {
			if (!event.ctrlKey && document.activeElement !== this.plot)
				return;
			event.preventDefault();
			this.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 120) * 0.003), this.time(place(event)[0]));
		}, { passive: false });
		this.plot.addEventListener("pointerdown", (event) => {
			const [x, y] = place(event);
			if (event.button !== 0)
				return;
			if (event.isTrusted) // the pointer of a script is none that could be kept
				this.plot.setPointerCapture(event.pointerId);
			drag = { x, y, from: this.from, to: this.to, marks: event.shiftKey, moved: false };
		});
		this.plot.addEventListener("pointermove", (event) => {
			const [x, y] = place(event);
			if (!drag)
				return this.hover(x, y);
			drag.moved ||= Math.abs(x - drag.x) > 3;
			this.tip.hidden = true;
			if (drag.marks)
				return this.mark(drag.x, x);
			const shift = ((drag.x - x) / this.width) * (drag.to - drag.from), fits = Math.min(Math.max(shift, -drag.from), this.data.end - drag.to);
			if (drag.moved)
				this.view(drag.from + fits, drag.to + fits);
		});
		this.plot.addEventListener("pointerup", (event) => {
			const [x, y] = place(event), done = drag;
			drag = null;
			this.marked?.remove();
			if (done?.marks && done.moved)
				this.view(this.time(Math.min(x, done.x)), this.time(Math.max(x, done.x)));
			else if (done && !done.moved && this.hit(x, y))
				this.pick(...this.hit(x, y));
		});
		this.plot.addEventListener("pointerleave", () => { this.tip.hidden = true; });
		this.plot.addEventListener("dblclick", (event) => this.zoom(0.4, this.time(place(event)[0])));
	}

	mark(a, b) {
		this.marked ??= make("div", {});
		this.marked.style.cssText = `position: absolute; background: #33228833; top: ${TOP}px; height: ${this.height - TOP}px; left: ${Math.min(a, b)}px; width: ${Math.abs(b - a)}px;`;
		this.plot.append(this.marked);
	}
}

for (const figure of document.querySelectorAll("figure.schedule"))
	new Schedule(figure);
