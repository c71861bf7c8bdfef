// Which rules of a _redirects file apply to paths, according to Netlify's own parser and matcher: {file, paths} on
// standard input, [[target, status] or null, …] on standard output. redirect_lines.py runs it.
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";

const require = createRequire(path.join(process.cwd(), "package.json"));
const redirector = require("netlify-redirector");
const { parseAllRedirects } = await import(require.resolve("@netlify/redirect-parser"));

let text = "";
for await (const piece of process.stdin) text += piece;
const { file, paths } = JSON.parse(text);
const { redirects, errors } = await parseAllRedirects({ redirectsFiles: [file], configRedirects: [], minimal: false });
if (errors.length) throw errors[0];
const rules = redirects.map(({ from, query, signed, ...rest }) => ({ ...rest, origin: from, params: query }));
const matcher = await redirector.parseJSON(JSON.stringify(rules), {});
const answers = paths.map((each) => {
  const request = { scheme: "https", host: "example.org", path: decodeURIComponent(each), query: "", headers: {} };
  const match = matcher.match({ ...request, cookieValues: {}, getHeader: () => "", getCookie: () => "" });
  return match && [match.to, match.status];
});
console.log(JSON.stringify(answers));
