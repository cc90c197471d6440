// Interactive schedules on the page: users zoom, pan and inspect with the pointer or the keyboard.
"use strict";

class Schedule extends Drawing {
	constructor(figure) {
		super();
		this.data = decode(JSON.parse(figure.querySelector("script").textContent));
		this.causes = new Causes(this.data);
		this.chart = figure.querySelector(".chart");
		this.from = 0;
		this.to = this.data.end || 1;
		this.picked = null; // the box that the user has picked: [worker, index of the box or -1]; null: none
		this.memories = this.data.used.map((used, m) => m).filter((m) => this.data.used[m].n > 0);
		const n = this.data.workers.length;
		this.rowHeight = n <= 24 ? 24 : n <= 64 ? 16 : n <= 128 ? 11 : Math.max(2, Math.floor(1500 / n));
		this.names = Math.round(30 + 7.6 * Math.max(4, ...[...this.data.workers, ...this.data.links].map((name) => Math.min(18, name.length))));
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
		this.layer = make("input", { type: "checkbox", checked: this.causes.shown });
		this.layer.addEventListener("change", () => this.showCauses(this.layer.checked));
		const bar = make("div", { className: "controls" },
			button("+", "Zoom in", () => this.zoom(0.5)), button("−", "Zoom out", () => this.zoom(2)),
			button("◀", "Earlier", () => this.pan(-0.4)), button("▶", "Later", () => this.pan(0.4)),
			button("Whole", "The whole schedule", () => this.view(0, this.data.end)),
			make("label", {}, "task ", this.task), make("label", {}, this.layer, " causes"));
		this.plot = make("div", { className: "plot", tabIndex: 0 });
		this.plot.setAttribute("role", "application");
		this.plot.setAttribute("aria-label", `Schedule of ${this.data.name}. Plus and minus zoom, left and right pan, `
			+ "0 shows all; up and down choose a worker, comma and full stop its tasks; c shows causes.");
		this.boxes = make("canvas", {});
		this.lines = make("canvas", {});
		this.flows = make("canvas", {});
		this.labels = make("div", {});
		this.tip = make("div", { className: "tip", hidden: true });
		this.plot.append(this.boxes, this.lines, this.flows, this.labels, this.tip);
		this.said = make("p", { className: "said" });
		this.said.setAttribute("role", "status");
		this.causeLegend = this.causes.legend();
		this.chart.replaceChildren(bar, this.kernelLegend(), this.causeLegend, this.plot, this.memoryLegend(), this.said,
			make("p", { className: "keys", textContent: "Drag: pan. Shift and drag: zoom to what is marked. Wheel, once the chart is clicked, or with Ctrl: zoom. "
				+ "Keys: + − ← → 0; ↑ ↓ a worker, comma and full stop its tasks; c causes." + this.reduced() }));
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

	// Shows the time from `from` to `to`, in ns: at least 1000 ns, within the schedule.
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

	showCauses(shown) {
		this.layer.checked = this.causes.shown = shown;
		this.causeLegend.hidden = !shown;
		this.draw();
	}

	describe(w, i) {
		const row = this.data.rows[w], worker = this.data.workers[w], kernel = this.data.kernels[row.kernel[i]];
		const times = timesText(row.start[i], row.end[i]);
		const chain = this.causes.isCritical(w, (row.start[i] + row.end[i]) / 2) ? "\non the critical chain" : "";
		if (row.task[i] >= 0)
			return `task ${row.task[i]}: ${kernel}\n${worker}\n${times}${chain}`;
		return `several tasks, mostly ${kernel}\n${worker}, ${Math.round(-row.task[i] / 10)} % busy\n${times}`;
	}

	// Describes the idle time at a position in the plot; "": there is none, or causes are not shown.
	describeIdle(x, y) {
		const w = Math.floor((y - TOP) / this.rowHeight), inside = x >= this.left && x <= this.left + this.width;
		const i = inside && this.causes.shown && this.data.rows[w] ? this.causes.at(w, this.time(x)) : -1;
		if (i < 0)
			return "";
		const [what, start, end] = this.causes.describe(w, i);
		return `${what}\n${this.data.workers[w]}\n${timesText(start, end)}`;
	}

	// Returns the box at a position in the plot, as [worker, index of the box]; null: there is none.
	hit(x, y) {
		const w = Math.floor((y - TOP) / this.rowHeight), at = this.time(x), row = this.data.rows[w];
		if (!row || x < this.left || x > this.left + this.width)
			return null;
		const i = search(row.n, (k) => row.end[k] > at);
		return i < row.n && row.start[i] <= at ? [w, i] : null;
	}

	hover(x, y) {
		const found = this.hit(x, y), at = this.time(x), inside = x >= this.left && x <= this.left + this.width;
		let text = found ? this.describe(...found) : this.describeIdle(x, y);
		if (inside && this.memories.length && y > this.memoryTop && y < this.memoryBottom)
			text = timeText(at) + this.memories.map((m) => {
				const used = this.data.used[m], k = search(used.n, (j) => used.date[j] > at) - 1;
				return `\n${this.data.memories[m]}: ${memoryText(k < 0 ? 0 : used.bytes[k], this.data.memoryUnits)}`;
			}).join("");
		const l = Math.floor((y - this.linkTop) / LINK);
		if (inside && l >= 0 && l < this.data.links.length)
			text = this.describeLink(l, at);
		this.tip.hidden = !text;
		this.tip.textContent = text;
		if (text) {
			const room = this.plot.clientWidth - this.tip.offsetWidth - 4;
			this.tip.style.left = `${Math.max(0, Math.min(room, x + 14))}px`;
			this.tip.style.top = `${y + 16}px`;
		}
	}

	describeLink(l, at) {
		const use = this.data.linkUse[l], k = search(use.n, (j) => use.date[j] > at) - 1;
		return `${timeText(at)}\n${this.data.links[l]}: ${k < 0 ? 0 : Number((100 * use.share[k]).toFixed(1))} % of what it can pass`;
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
			"c": () => this.showCauses(!this.causes.shown),
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
			if (event.isTrusted) // a script's pointer cannot be captured
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
			else if (done && !done.moved)
				this.said.textContent = this.describeIdle(x, y).replaceAll("\n", ", ");
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
