// The data of a schedule, and texts for its values.
"use strict";

// Returns the boxes of a row. In `flat`, each has `size` numbers: the gap before it, its length, and others, of which
// rest() makes the kernel (or cause) and the task. Minus the thousandths of the box that are filled may stand for a task.
const decodeRow = (flat, size, rest) => {
	const n = flat.length / size, row = {
		n, start: new Float64Array(n), end: new Float64Array(n), kernel: new Int32Array(n), task: new Int32Array(n),
	};
	for (let i = 0, at = 0; i < n; i++) {
		row.start[i] = at + flat[size * i];
		at = row.end[i] = row.start[i] + flat[size * i + 1];
		[row.kernel[i], row.task[i]] = rest(flat[size * i + 2], flat[size * i + 3]);
	}
	return row;
};

// Unpacks the page's data: data.rows has the boxes of each row, and data.workers its label. Most rows have one worker.
const decode = (data) => {
	data.rows = data.boxes.map((flat) => decodeRow(flat, 4, (kernel, task) => [kernel, task]));
	data.used = data.samples.map((flat) => {
		const n = flat.length / 2, used = { n, date: new Float64Array(n), bytes: new Float64Array(n) };
		for (let i = 0, date = 0, bytes = 0; i < n; i++) {
			used.date[i] = date += flat[2 * i];
			used.bytes[i] = bytes += flat[2 * i + 1];
		}
		return used;
	});
	data.linkUse = data.use.map((flat) => {
		const n = flat.length / 2, use = { n, date: new Float64Array(n + 1), share: new Float64Array(n) };
		for (let i = 0, date = 0, thousandths = 0; i < n; i++) {
			use.date[i] = date += flat[2 * i];
			use.share[i] = (thousandths += flat[2 * i + 1]) / 1000;
		}
		use.date[n] = data.end;
		return use;
	});
	data.memoryUnits = unitsOfMemory(data.binary);
	delete data.boxes;
	delete data.samples;
	delete data.use;
	return data;
};

// Returns the first i below n for which after(i) is true; n if there is none. Binary search.
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

// Returns the distance of marks on an axis: 1, 2 or 5 times a power of ten, so that about `n` steps make the span.
const niceStep = (span, n) => {
	const power = 10 ** Math.floor(Math.log10(span / n)), rest = span / n / power;
	return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
};

const timeUnit = (span) => (span >= 2e9 ? [1e9, "s"] : span >= 2e6 ? [1e6, "ms"] : [1e3, "µs"]);
const unitsOfMemory = (binary) => (binary
	? [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]]
	: [[1e9, "GB"], [1e6, "MB"], [1e3, "KB"], [1, "B"]]);
const memoryText = (bytes, units) => {
	const [unit, name] = units.find(([size]) => bytes >= size) ?? [1, "B"];
	return `${Number((bytes / unit).toPrecision(4))} ${name}`;
};
const timeText = (ns) => {
	const [unit, name] = ns >= 1e9 ? [1e9, "s"] : ns >= 1e6 ? [1e6, "ms"] : [1e3, "µs"];
	return `${(ns / unit).toFixed(3)} ${name}`;
};
const timesText = (start, end) => `${timeText(start)} to ${timeText(end)}, ${timeText(end - start)}`;
const isDark = (colour) => {
	const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
	return 0.299 * r + 0.587 * g + 0.114 * b < 140;
};
