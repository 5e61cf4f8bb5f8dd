import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { digestOfIds, parseFollowerDigest, writeFollowerDigest } from './follower-digest.ts'

test('the digest of no followers has zeros only, that of one is the hash of its id', () => {
  assert.equal(digestOfIds([]), '0'.repeat(64))
  // From `printf https://a.example/1 | sha256sum`.
  assert.equal(digestOfIds(['https://a.example/1']), 'd817b80f9a5befb9163eb63dc83dccd5e2eb8e04e72ca739d41f01bdcbad2e0f')
})

test('the digest of followers depends neither on their order nor on repetitions, but on each of them', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), (ids) => {
      const digest = digestOfIds(ids)
      assert.equal(digestOfIds([...ids].toReversed()), digest)
      assert.equal(digestOfIds([...ids, ids[0]!]), digest)
      assert.notEqual(digestOfIds(ids.slice(1)), digest)
    }),
  )
})

test('a header is read as it was written, also with other spaces and in another order', () => {
  const named = {
    collectionId: 'https://a.example/1/followers',
    url: 'https://a.example/1/sync',
    digest: 'ab'.repeat(32),
  }
  assert.deepEqual(parseFollowerDigest(writeFollowerDigest(named)), named)
  const other = `digest="${named.digest.toUpperCase()}",url="${named.url}",  collectionId="${named.collectionId}"`
  assert.deepEqual(parseFollowerDigest(other), named)
})

test('a header without one of its parameters, or with a digest of another form, is not read', () => {
  for (const value of [
    '',
    'collectionId="https://a.example/1"',
    'x',
    `collectionId="a", url="b", digest="${'g'.repeat(64)}"`,
  ]) {
    assert.equal(parseFollowerDigest(value), null)
  }
  fc.assert(fc.property(fc.string(), (value) => void parseFollowerDigest(value)))
})
