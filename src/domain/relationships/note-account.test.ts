import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld({ effects: false })
after(world.close)

const note = (from: Person, to: Pick<Person, 'accountId'>, body: object) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/note`, body)
const noted = async (from: Person, to: Person) =>
  (await from.client.get('/api/v1/accounts/relationships', { id: [to.accountId] })).body[0].note

test('a note about somebody is seen by its writer alone, replaces the one before, and goes when it is blank', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const text = ' met in Łódź\n<b>"nice"</b> 🐘 '
  const first = await note(alice, bob, { comment: text })
  assert.deepEqual([first.status, first.body.id, first.body.note], [200, bob.accountId, text])
  assert.deepEqual([await noted(alice, bob), await noted(bob, alice), await noted(bob, bob)], [text, '', ''])
  assert.equal((await note(alice, bob, { comment: 'other' })).body.note, 'other')
  for (const blank of [{ comment: '' }, { comment: ' \n\t' }, { comment: null }, {}]) {
    await note(alice, bob, { comment: 'again' })
    assert.equal((await note(alice, bob, blank)).body.note, '')
  }
})

test('a note has 2,000 characters at most, each counted once, and outlives a block', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const longest = '🐘'.repeat(2_000)
  assert.equal((await note(alice, bob, { comment: longest })).body.note, longest)
  const refused = await note(alice, bob, { comment: `${longest}x` })
  assert.deepEqual(
    [refused.status, refused.body.error],
    [422, 'Validation failed: Comment is too long (maximum is 2000 characters)'],
  )
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  assert.equal(await noted(alice, bob), longest)
})

test('there are no notes about nobody', async () => {
  const alice = await world.createPerson()
  for (const accountId of ['999999999', 'x', (await world.createPerson({ confirmed: false })).accountId]) {
    assert.equal((await note(alice, { accountId }, { comment: 'who?' })).status, 404)
  }
})
