// Added to the head of a page under test. Collects errors and reports them at the end.
"use strict";
window.problems = [];
addEventListener("error", (event) => problems.push(`error: ${event.message}`));
addEventListener("unhandledrejection", (event) => problems.push(`rejected: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) => problems.push(`not allowed: ${event.violatedDirective} ${event.sample}`));
window.broken = () => problems.push("a name was run");
for (const name of ["error", "warn"])
	console[name] = (...words) => problems.push(`${name}: ${words.join(" ")}`);

window.tell = (found) => {
	const template = document.createElement("template");
	template.id = "verdict";
	const bytes = new TextEncoder().encode(JSON.stringify({ ...found, problems }));
	template.innerHTML = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
	document.body.append(template);
};

window.type = (input, text) => {
	input.value = text;
	input.dispatchEvent(new Event("input", { bubbles: true }));
};

// The cells of a column in the visible rows.
window.shown = (table, key) => {
	const heads = [...table.tHead.rows[0].cells].map((th) => th.textContent), c = heads.indexOf(key);
	return [...table.tBodies[0].rows].map((row) => row.cells[c].dataset.v ?? row.cells[c].textContent);
};
