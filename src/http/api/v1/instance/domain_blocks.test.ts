import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../../test/linnet.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import { changeSetting } from '../../../../domain/instance/settings.ts'
import { setDomainBlock } from '../../../../domain/moderation/change-domain-blocks.ts'
import type { DomainRule } from '../../../../domain/moderation/change-domain-blocks.ts'

const port = await findPort()
const domain = `localhost:${port}`
const world = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain }, effects: false })
after(world.close)
await world.listen()
const { ctx, anonymous } = world
const PATH = '/api/v1/instance/domain_blocks'

const choose = async (blocks: string, comments: string) => {
  await ctx.write((tx) => changeSetting(tx, { name: 'domain-blocks', text: blocks }))
  await ctx.write((tx) => changeSetting(tx, { name: 'domain-block-comments', text: comments }))
}
const block = (rule: Partial<DomainRule> & { domain: string }) =>
  ctx.write((tx) =>
    setDomainBlock(tx, {
      severity: 'suspend',
      rejectMedia: false,
      rejectReports: false,
      publicComment: '',
      privateComment: 'only for us',
      obfuscate: false,
      ...rule,
    }),
  )
const digest = (name: string) => createHash('sha256').update(name).digest('hex')

await block({ domain: 'spam.example', publicComment: 'Only spam' })
await block({ domain: 'quiet.example', severity: 'silence' })
await block({ domain: 'noted.example', severity: 'noop', rejectMedia: true })
await block({ domain: 'hateful.example.org', publicComment: 'Hate', obfuscate: true })

const member = await world.createPerson()
const pending = await world.createPerson({ approved: false })
const unconfirmed = await world.createPerson({ confirmed: false })
const nobody = { client: anonymous }

/** How many blocks each of them sees; null: nothing is told. */
async function seen(...people: Pick<Person, 'client'>[]): Promise<(number | null)[]> {
  return Promise.all(
    people.map(async ({ client }) => {
      const { status, body } = await client.get(PATH)
      if (status === 200) return body.length
      assert.deepEqual([status, body], [404, ''])
      return null
    }),
  )
}

test('VI13: blocked servers are told to nobody, to people of here who are let in, or to everybody, as the owner says', async () => {
  const all = [nobody, pending, unconfirmed, member]
  assert.deepEqual(await seen(...all), [null, null, null, null])
  await choose('users', 'disabled')
  assert.deepEqual(await seen(...all), [null, null, null, 3])
  await choose('all', 'disabled')
  assert.deepEqual(await seen(...all), [3, 3, 3, 3])
  await choose('disabled', 'all')
  assert.deepEqual(await seen(...all), [null, null, null, null])
})

test('CA1: what is told to people of here alone is kept by no shared cache', async () => {
  const caching = async ({ client }: Pick<Person, 'client'>) => {
    const { headers } = await client.get(PATH)
    return [headers['cache-control'], headers['vary']]
  }
  await choose('users', 'disabled')
  assert.deepEqual(await caching(member), ['private, no-store', 'Authorization, Origin'])
  assert.deepEqual(await caching(nobody), ['private, no-store', 'Authorization, Origin'])
  await choose('all', 'users')
  assert.deepEqual(await caching(member), ['private, no-store', 'Authorization, Origin'])
  assert.match(String((await caching(nobody))[0]), /^public, max-age=15/)
})

test('the worst stand first; a name can be told in part, with the digest of all of it; comments have their own audience', async () => {
  await choose('all', 'users')
  const list = async ({ client }: Pick<Person, 'client'>) => (await client.get(PATH)).body
  const told = await list(member)
  for (const one of told) assertOnWire('DomainBlock', one)
  assert.deepEqual(told, [
    { domain: 'hate***.*******.org', digest: digest('hateful.example.org'), severity: 'suspend', comment: 'Hate' },
    { domain: 'spam.example', digest: digest('spam.example'), severity: 'suspend', comment: 'Only spam' },
    { domain: 'quiet.example', digest: digest('quiet.example'), severity: 'silence', comment: null },
  ])
  for (const stranger of [nobody, pending]) {
    assert.deepEqual(
      await list(stranger),
      told.map((one: object) => ({ ...one, comment: null })),
    )
  }
  await choose('all', 'all')
  assert.deepEqual(await list(nobody), told)
  const text = JSON.stringify(told)
  assert.ok(!text.includes('only for us') && !text.includes('hateful'))
})

test('masto.js reads blocked servers', async () => {
  await choose('all', 'all')
  const blocks = await createRestAPIClient({ url: `http://${domain}` }).v1.instance.domainBlocks.fetch()
  assert.deepEqual(
    blocks.map(({ severity }) => severity),
    ['suspend', 'suspend', 'silence'],
  )
})
