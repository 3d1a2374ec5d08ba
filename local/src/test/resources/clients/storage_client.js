// @google-cloud/storage as a task uses it. Arguments: a bucket that is there, and one to make.
const {Storage} = require('@google-cloud/storage');
const assert = require('node:assert');

async function main(there, made) {
  const storage = new Storage({projectId: 'demo', apiEndpoint: process.env.STORAGE_EMULATOR_HOST});
  const bucket = storage.bucket(there);

  await bucket.file('js/resumable').save('hello'.repeat(1000));
  assert.equal((await bucket.file('js/resumable').download())[0].length, 5000);
  await bucket.file('js/simple ü').save('hello', {resumable: false, metadata: {metadata: {k: 'v'}}});
  assert.equal((await bucket.file('js/simple ü').download())[0].toString(), 'hello');
  assert.equal((await bucket.file('js/simple ü').getMetadata())[0].metadata.k, 'v');
  await new Promise((done, failed) => {
    const out = bucket.file('js/stream').createWriteStream({chunkSize: 1 << 18});
    out.on('finish', done).on('error', failed);
    for (let i = 0; i < 10; i++) out.write(Buffer.alloc(100_000, i));
    out.end();
  });
  assert.equal((await bucket.file('js/stream').download())[0].length, 1_000_000);
  assert.deepEqual((await bucket.getFiles({prefix: 'js/s'}))[0].map(f => f.name), ['js/simple ü', 'js/stream']);
  await bucket.file('js/stream').copy(bucket.file('js/copy'));
  await bucket.file('js/copy').moveFileAtomic('js/moved');
  await bucket.file('js/moved').rename('js/renamed');
  assert.equal((await bucket.file('js/copy').exists())[0], false);
  assert.equal((await bucket.file('js/renamed').exists())[0], true);
  await bucket.deleteFiles({prefix: 'js/', force: true});
  assert.equal((await bucket.getFiles({prefix: 'js/'}))[0].length, 0);

  await storage.createBucket(made);
  await storage.bucket(made).setMetadata({labels: {team: 'lab'}});
  assert.equal((await storage.bucket(made).getMetadata())[0].labels.team, 'lab');
  await storage.bucket(made).delete();
}

main(...process.argv.slice(2)).catch(e => {
  console.error(e);
  process.exit(1);
});
