// Play the first legal move of a game with the package that `npm pack` made, and resign: `node play.mjs <package> <server>`.
const [folder, origin] = process.argv.slice(2);
const client = await import(`${folder}/index.js`);

client.useServer(origin);
const { token } = await client.beginAsGuest();
client.useServer(origin, token);
const { deal } = await client.sealDeal("quatorze");
const { id } = await client.startGame(deal, client.randomNonce());
const connection = client.connect(origin, token);

let session = client.UNKNOWN_SESSION;
await new Promise((resolve) => {
  connection.subscribe(id, {
    version: () => session.version,
    receive: (message) => {
      session = client.applyMessage(session, message, Date.now());
      resolve(undefined);
    },
  });
});
await connection.command({ type: "play", game: id, version: session.version, move: session.moves[0].text });
await connection.command({ type: "resign", game: id, version: session.version });
connection.stop();
const refused = await client.readGame("unknown").catch((refusal) => refusal);
console.log(JSON.stringify({ played: session.played, status: (await client.readGame(id)).status, refused: refused.code }));
process.exit();
