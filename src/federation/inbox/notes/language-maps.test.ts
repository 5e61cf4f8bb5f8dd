import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)

test('a note with texts in several languages only has those of the language that it names first', async () => {
  const { peer, testServer, deliver, followEachOther, show } = fediverse
  const alice = await testServer.createUser()
  const bob = await peer.host('remote.test').createActor('bob')
  await followEachOther(alice, bob)
  const contentMap = { es: '<p>hola</p>', en: '<p>hi</p>' }
  const note = bob.note({ content: undefined, contentMap, summaryMap: { es: 'aviso', en: 'warning' } })
  await deliver(bob, bob.activity('Create', note, { to: note['to'], cc: note['cc'] }))
  const { content, language, spoiler_text: spoilerText } = await show(alice, note['id'])
  assert.deepEqual([content, language, spoilerText], ['<p>hola</p>', 'es', 'aviso'])
})
