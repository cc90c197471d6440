"use strict";
tell({
	policies: shown(document.querySelector("#table-rows"), "policy"),
	images: document.images.length,
	scripts: [...document.scripts].filter((script) => script.type === "").length,
});
