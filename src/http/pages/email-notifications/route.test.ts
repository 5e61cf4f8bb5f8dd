import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createAccountWithPassword } from '../../../../test/passwords.ts'
import { fromSomewhere } from '../../../../test/browser.ts'
import { signIn } from '../../../../test/sign-in.ts'
import { openWorld } from '../../../../test/world.ts'
import { readMailChoice } from '../../../domain/notifications/mails.ts'

const world = await openWorld()
after(world.close)

test('people choose which letters they get, and see what they chose', async () => {
  const { userId } = await createAccountWithPassword(world.ctx, 'ada')
  const browser = await signIn(world.server, { login: 'ada' })
  const first = await browser.get('/settings/letters')
  assert.equal(first.status, 200)
  assert.equal(first.html.match(/ checked/g)?.length, 4)
  const { csrf } = first.forms.find(({ action }) => action === '/settings/letters')!.values
  // A box that is not ticked is not sent.
  const save = async (ticked: Record<string, string>) =>
    browser.post('/settings/letters', { csrf: csrf!, ...ticked }, fromSomewhere())
  const saved = await save({ mention: '1', favourite: '1', always: '1' })
  assert.match(saved.text, /Your changes were saved/)
  assert.equal(saved.html.match(/ checked/g)?.length, 3)
  assert.deepEqual(await readMailChoice(world.ctx, { userId }), { kinds: ['mention', 'favourite'], always: true })
  assert.equal((await save({})).status, 200)
  assert.deepEqual(await readMailChoice(world.ctx, { userId }), { kinds: [], always: false })
})
