"use strict";
{
	const plot = document.querySelector(".plot"), chart = plot.closest(".chart"), box = plot.getBoundingClientRect();
	const data = JSON.parse(plot.closest("figure").querySelector("script").textContent);
	const button = (title) => chart.querySelector(`button[title="${title}"]`);
	const ticks = () => [...plot.querySelectorAll(".tick")].map((span) => span.textContent);
	const span = () => Number(plot.dataset.to) - Number(plot.dataset.from);
	const at = (type, x, y, more) => plot.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y, bubbles: true, button: 0, pointerId: 1, ...more }));
	const key = (name) => plot.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
	const wheel = (more) => plot.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, clientX: box.left + 500, clientY: box.top + 50, bubbles: true, cancelable: true, ...more }));
	const found = { charts: document.querySelectorAll(".plot").length, ticks: { start: ticks() }, spans: { start: span() }, from: {} };
	found.unit = [...plot.querySelectorAll(".unit")].at(-1).textContent;
	found.rows = data.workers.length;
	found.busy = [...plot.querySelectorAll(".busy")].filter((label) => label.textContent.endsWith("%")).length;

	button("Zoom in").click();
	found.ticks.zoomed = ticks();
	found.spans.zoomed = span();
	button("Later").click();
	found.ticks.later = ticks();
	button("The whole schedule").click();
	found.ticks.whole = ticks();

	wheel({});
	found.spans.unasked = span();
	wheel({ ctrlKey: true });
	found.spans.wheel = span();
	key("0");
	key("+");
	found.spans.key = span();
	found.from.key = Number(plot.dataset.from);
	at("pointerdown", 600, 50);
	at("pointermove", 500, 50);
	at("pointerup", 500, 50);
	found.from.dragged = Number(plot.dataset.from);
	key("0");
	at("pointerdown", 300, 50, { shiftKey: true });
	at("pointermove", 500, 50, { shiftKey: true });
	at("pointerup", 500, 50, { shiftKey: true });
	found.spans.marked = span();
	key("0");

	// The middle of the longest box, in coordinates of the canvas.
	const canvas = plot.querySelector("canvas");
	let best = { length: 0 };
	data.boxes.forEach((flat, worker) => {
		for (let i = 0, start = 0; i < flat.length; i += 4) {
			start += flat[i];
			if (flat[i + 1] > best.length)
				best = { worker, start, length: flat[i + 1], kernel: data.kernels[flat[i + 2]], task: flat[i + 3] };
			start += flat[i + 1];
		}
	});
	const x = canvas.offsetLeft + ((best.start + best.length / 2) / data.end) * canvas.clientWidth, row = canvas.clientHeight / data.boxes.length;
	at("pointermove", x, canvas.offsetTop + (best.worker + 0.5) * row);
	const tip = plot.querySelector(".tip");
	found.tip = tip.hidden ? "" : tip.textContent;
	found.wanted = `task ${best.task}: ${best.kernel}\n${data.workers[best.worker]}\n[\\d.]+ .?s to [\\d.]+ .?s, ${(best.length / 1e6).toFixed(3)} ms`;
	const lines = plot.querySelectorAll("canvas")[1];
	at("pointermove", x, lines.offsetTop + 40);
	found.memory = tip.hidden ? "" : tip.textContent;
	const flows = plot.querySelectorAll("canvas")[2];
	at("pointermove", x, flows.offsetTop + flows.clientHeight / data.links.length / 2);
	found.link = tip.hidden ? "" : tip.textContent;
	found.links = data.links;
	found.means = [...plot.querySelectorAll(".use")].map((label) => label.textContent).filter((text) => text.endsWith("%")).length;
	const ink = flows.getContext("2d").getImageData(0, 0, flows.width, flows.height).data;
	found.drawn = ink.filter((value, i) => i % 4 === 0 && value === 0x4d).length;

	const input = chart.querySelector("input"), said = chart.querySelector(".said");
	input.value = "5";
	input.dispatchEvent(new Event("change"));
	found.task = said.textContent;
	key(".");
	found.next = said.textContent;
	key("0");
	key("Escape");
	// The layer of causes.
	const count = (isWanted) => {
		const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(canvas, 0, 0);
		const { data: all } = copy.getImageData(0, 0, canvas.width, canvas.height);
		let n = 0;
		for (let i = 0; i < all.length; i += 4)
			n += all[i + 3] === 255 && isWanted((all[i] << 16) | (all[i + 1] << 8) | all[i + 2]);
		return n;
	};
	const cause = new Set(data.causeColours.map((colour) => parseInt(colour.slice(1), 16))
		.filter((colour) => colour > 0 && colour !== 0xeeeeee));
	const layer = chart.querySelector("input[type=checkbox]"), legend = [...chart.querySelectorAll(".legend")][1];
	found.causes = {};
	found.chain = {};
	found.legend = {};
	const look = (when) => {
		found.causes[when] = count((colour) => cause.has(colour));
		found.chain[when] = count((colour) => colour === 0);
		found.legend[when] = !legend.hidden && legend.textContent.startsWith("critical chainwait: ");
	};
	let longest = { length: 0 };
	data.idle.forEach((flat, worker) => {
		for (let i = 0, start = 0; i < flat.length; i += 3) {
			start += flat[i];
			if (flat[i + 1] > longest.length)
				longest = { worker, start, length: flat[i + 1], cause: data.causes[flat[i + 2]] };
			start += flat[i + 1];
		}
	});
	const hover = (worker, date) => {
		at("pointermove", canvas.offsetLeft + (date / data.end) * canvas.clientWidth,
			canvas.offsetTop + (worker + 0.5) * row);
		return tip.hidden ? "" : tip.textContent;
	};
	look("shown");
	found.idle = hover(longest.worker, longest.start + longest.length / 2);
	found.idleWanted = `wait: ${longest.cause}\n${data.workers[longest.worker]}\n[\\d.]+ .?s to [\\d.]+ .?s, `
		+ `${(longest.length / 1e6).toFixed(3)} ms`;
	let step = { length: 0 };
	for (let i = 0, start = 0; i < data.chain.length; start += data.chain[i], i += 2)
		if (data.chain[i + 1] % 2 && data.chain[i] > step.length)
			step = { start, length: data.chain[i], worker: data.chain[i + 1] >> 1 };
	found.critical = hover(step.worker, step.start + step.length / 2);
	layer.click();
	look("hidden");
	found.idleHidden = hover(longest.worker, longest.start + longest.length / 2);
	key("c");
	look("again");

	const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, colours = new Set();
	for (let i = 0; i < pixels.length; i += 4)
		colours.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
	found.colours = ["88ccee", "cc6677", "ddcc77", "117733", "eeeeee"].filter((colour) => colours.has(parseInt(colour, 16))).length;
	tell(found);
}
