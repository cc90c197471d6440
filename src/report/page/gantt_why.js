// The layer of causes in a schedule: idle time in the colour of its cause, and the chain that the makespan hangs on.
"use strict";

// A cause takes so many values of an idle time's code (schedule_why.c).
const CODE_CAUSES = 16;

class Causes {
	constructor(data) {
		this.names = data.causes;
		this.colours = data.causeColours;
		this.shown = true;
		const decode = (code) => [code % CODE_CAUSES, Math.floor(code / CODE_CAUSES) - 1000];
		this.rows = data.idle.map((flat) => decodeRow(flat, 3, decode));
		const n = data.chain.length / 2;
		this.chain = { n, date: new Float64Array(n + 1), worker: new Int32Array(n), computes: new Uint8Array(n) };
		for (let i = 0; i < n; i++) {
			this.chain.date[i + 1] = this.chain.date[i] + data.chain[2 * i];
			this.chain.worker[i] = data.chain[2 * i + 1] >> 1;
			this.chain.computes[i] = data.chain[2 * i + 1] & 1;
		}
		delete data.idle;
		delete data.chain;
	}

	legend() {
		const list = make("ul", { className: "legend" });
		const seen = new Set(this.rows.flatMap((row) => [...new Set(row.kernel)]));
		list.append(make("li", {}, make("i", { className: "line" }), "critical chain"));
		this.names.forEach((name, cause) => {
			if (!seen.has(cause))
				return;
			const square = make("i", {});
			square.style.background = this.colours[cause];
			list.append(make("li", {}, square, `wait: ${name}`));
		});
		return list;
	}

	// Returns the idle time of a worker at a date; -1: there is none.
	at(w, date) {
		const row = this.rows[w], i = search(row.n, (k) => row.end[k] > date);
		return i < row.n && row.start[i] <= date ? i : -1;
	}

	describe(w, i) {
		const row = this.rows[w], whole = row.task[i] === -1000;
		return [`wait${whole ? "" : ", mostly"}: ${this.names[row.kernel[i]]}`, row.start[i], row.end[i]];
	}

	// Whether the chain is in a kernel of the worker at that date.
	isCritical(w, date) {
		const { n, date: dates, worker, computes } = this.chain, i = search(n, (k) => dates[k + 1] > date);
		return i < n && worker[i] === w && computes[i] === 1;
	}

	// Draws the visible part of the chain: a line from row to row, and a frame around each kernel that is wide enough.
	// `h`: height of a row; `pad`: space above a kernel in its row.
	drawChain(c, drawing, h, pad) {
		const { n, date, worker, computes } = this.chain, x = (ns) => drawing.x(ns) - drawing.left, frames = [];
		const line = new Path2D();
		const begin = search(n, (k) => date[k + 1] > drawing.from);
		for (let i = begin, first = true; i < n && date[i] < drawing.to; i++, first = false) {
			const left = Math.max(-4, x(date[i])), right = Math.min(drawing.width + 4, x(date[i + 1]));
			const y = (worker[i] + 0.5) * h;
			line[first ? "moveTo" : "lineTo"](left, y);
			if (computes[i] && right - left >= 4 && h >= 10) {
				frames.push([left, worker[i] * h + pad, right - left, h - 2 * pad]);
				line.moveTo(right, y);
			} else {
				line.lineTo(right, y);
			}
		}
		c.setLineDash([]);
		c.lineJoin = "round";
		for (const [colour, width] of [["#ffffffc0", 3.5], ["#000000", 1.5]]) {
			c.strokeStyle = colour;
			c.lineWidth = width;
			c.stroke(line);
		}
		for (const frame of frames)
			c.strokeRect(...frame);
	}
}
