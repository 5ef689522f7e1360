/** Writes to a file journal until the system lets the file grow no more; says what became of it as JSON. */
import { fileJournal } from "../../../src/database/journal/door.js";
import { Database, defineResource, SqlError } from "../../../src/index.js";

async function main(file: string): Promise<void> {
  let calls = 0;
  const db = await Database.create({ policy: { writes: true }, journal: fileJournal({ path: file }) });
  db.register(
    defineResource({
      name: "mail",
      volatility: "volatile",
      columns: [{ name: "subject", type: "text" }],
      insert: () => {
        calls += 1;
      },
    }),
  );
  let fired = 0;
  let failure: unknown;
  while (failure === undefined) {
    try {
      const { receipts } = await db.execute(`INSERT INTO mail (subject) VALUES ('${"x".repeat(1_400)}')`);
      if (receipts?.[0].unjournaled !== undefined) throw new Error("the outcome should have fit");
      fired += 1;
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      failure = { code: error.code, status: error.receipts?.[0].status, message: error.message + error.detail };
    }
  }
  const callsBefore = calls;
  const { receipts } = await db.execute("INSERT INTO mail (subject) VALUES ('')");
  console.log(JSON.stringify({ fired, failure, calls: callsBefore, small: receipts?.[0].status }));
  await db.close();
}

void main(process.argv[2]);
