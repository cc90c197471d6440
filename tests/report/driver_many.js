"use strict";
{
	const section = document.querySelector("#rows"), table = document.querySelector("#table-rows");
	const count = () => section.querySelector("[role=status]").textContent, found = { count: count() };
	let start = performance.now();
	[...table.tHead.rows[0].cells].find((th) => th.textContent === "makespan_s").querySelector("button").click();
	found.sort_ms = performance.now() - start;
	found.least = Number(shown(table, "makespan_s")[0]);
	start = performance.now();
	type(section.querySelector("input[type=search]"), "policy=dmdas");
	found.filter_ms = performance.now() - start;
	found.filtered = count();
	tell(found);
}
