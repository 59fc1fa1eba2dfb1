// What AWS Lambda puts around a handler: one invocation at a time, told how long it may take.
const [folder, module] = process.argv.slice(2);
const { handler } = await import(`${folder}/${module}.js`);
process.on('message', ({ id, event, endsAt }) => {
  const context = { getRemainingTimeInMillis: () => Math.max(0, endsAt - Date.now()), awsRequestId: id };
  Promise.resolve()
    .then(() => handler(event, context))
    .then(
      (result) => process.send({ id, result }),
      (error) => process.send({ id, error: `${error.name}: ${error.message}` }),
    );
});
process.send({ ready: true });
