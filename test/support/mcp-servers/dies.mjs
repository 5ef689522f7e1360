/** A program that complains and ends before it has said a word of the protocol. */
for (let i = 1; i <= 20; i++) console.error(`line ${i}`);
console.error("error: GITHUB_TOKEN is not set");
process.exit(1);
