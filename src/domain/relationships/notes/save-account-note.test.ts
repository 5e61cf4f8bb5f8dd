import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const note = (from: TestUser, to: Pick<TestUser, 'accountId'>, body: object) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/note`, body)
const readNote = async (from: TestUser, to: TestUser) =>
  (await from.client.get('/api/v1/accounts/relationships', { id: [to.accountId] })).body[0].note

test('a note is visible to its author only, replaces the previous one, and is deleted by a blank comment', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const text = ' met in Łódź\n<b>"nice"</b> 🐘 '
  const first = await note(alice, bob, { comment: text })
  assert.deepEqual([first.status, first.body.id, first.body.note], [200, bob.accountId, text])
  assert.deepEqual([await readNote(alice, bob), await readNote(bob, alice), await readNote(bob, bob)], [text, '', ''])
  assert.equal((await note(alice, bob, { comment: 'other' })).body.note, 'other')
  for (const blank of [{ comment: '' }, { comment: ' \n\t' }, { comment: null }, {}]) {
    await note(alice, bob, { comment: 'again' })
    assert.equal((await note(alice, bob, blank)).body.note, '')
  }
})

test('a note has at most 2,000 Unicode characters, and is kept during a block', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const longest = '🐘'.repeat(2_000)
  assert.equal((await note(alice, bob, { comment: longest })).body.note, longest)
  const refused = await note(alice, bob, { comment: `${longest}x` })
  assert.deepEqual(
    [refused.status, refused.body.error],
    [422, 'Validation failed: Comment is too long (maximum is 2000 characters)'],
  )
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  assert.equal(await readNote(alice, bob), longest)
})

test('a note about an unknown or unconfirmed account gives 404', async () => {
  const alice = await testServer.createUser()
  for (const accountId of ['999999999', 'x', (await testServer.createUser({ confirmed: false })).accountId]) {
    assert.equal((await note(alice, { accountId }, { comment: 'who?' })).status, 404)
  }
})
