import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { blockDomainAsStaff } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { changeSetting } from '../../../../domain/instance/instance-settings.ts'
import type { DomainBlockSettings } from '../../../../domain/domain-blocks/set-domain-block.ts'

const port = await findPort()
const domain = `localhost:${port}`
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain }, effects: false })
after(testServer.close)
await testServer.listen()
const { ctx, anonymous } = testServer
const PATH = '/api/v1/instance/domain_blocks'

const setAudiences = async (blocks: string, comments: string) => {
  await ctx.write((tx) => changeSetting(tx, { by: null, name: 'domain-blocks', text: blocks }))
  await ctx.write((tx) => changeSetting(tx, { by: null, name: 'domain-block-comments', text: comments }))
}
const block = ({ domain, ...settings }: Partial<DomainBlockSettings> & { domain: string }) =>
  blockDomainAsStaff(ctx, domain, { severity: 'suspend', privateComment: 'only for staff', ...settings })
const digest = (name: string) => createHash('sha256').update(name).digest('hex')

await block({ domain: 'spam.example', publicComment: 'Only spam' })
await block({ domain: 'quiet.example', severity: 'silence' })
await block({ domain: 'noted.example', severity: 'noop', rejectMedia: true })
await block({ domain: 'hateful.example.org', publicComment: 'Hate', obfuscate: true })

const user = await testServer.createUser()
const pending = await testServer.createUser({ approved: false })
const unconfirmed = await testServer.createUser({ confirmed: false })
const anonymousUser = { client: anonymous }

/** Returns how many blocks each user sees; null for 404. */
async function visibleCounts(...users: Pick<TestUser, 'client'>[]): Promise<(number | null)[]> {
  return Promise.all(
    users.map(async ({ client }) => {
      const { status, body } = await client.get(PATH)
      if (status === 200) return body.length
      assert.deepEqual([status, body], [404, ''])
      return null
    }),
  )
}

test('VI13: the list is hidden, visible to approved local users or public, as configured', async () => {
  const all = [anonymousUser, pending, unconfirmed, user]
  assert.deepEqual(await visibleCounts(...all), [null, null, null, null])
  await setAudiences('users', 'disabled')
  assert.deepEqual(await visibleCounts(...all), [null, null, null, 3])
  await setAudiences('all', 'disabled')
  assert.deepEqual(await visibleCounts(...all), [3, 3, 3, 3])
  await setAudiences('disabled', 'all')
  assert.deepEqual(await visibleCounts(...all), [null, null, null, null])
})

test('CA1: a response for local users only is not stored in shared caches', async () => {
  const cacheHeaders = async ({ client }: Pick<TestUser, 'client'>) => {
    const { headers } = await client.get(PATH)
    return [headers['cache-control'], headers['vary']]
  }
  await setAudiences('users', 'disabled')
  assert.deepEqual(await cacheHeaders(user), ['private, no-store', 'Authorization, Origin'])
  assert.deepEqual(await cacheHeaders(anonymousUser), ['private, no-store', 'Authorization, Origin'])
  await setAudiences('all', 'users')
  assert.deepEqual(await cacheHeaders(user), ['private, no-store', 'Authorization, Origin'])
  assert.match(String((await cacheHeaders(anonymousUser))[0]), /^public, max-age=15/)
})

test('blocks are sorted by severity; obfuscated domains have a digest; comments have their own audience', async () => {
  await setAudiences('all', 'users')
  const list = async ({ client }: Pick<TestUser, 'client'>) => (await client.get(PATH)).body
  const blocks = await list(user)
  for (const domainBlock of blocks) assertEntity('DomainBlock', domainBlock)
  assert.deepEqual(blocks, [
    { domain: 'hate***.*******.org', digest: digest('hateful.example.org'), severity: 'suspend', comment: 'Hate' },
    { domain: 'spam.example', digest: digest('spam.example'), severity: 'suspend', comment: 'Only spam' },
    { domain: 'quiet.example', digest: digest('quiet.example'), severity: 'silence', comment: null },
  ])
  for (const outsider of [anonymousUser, pending]) {
    assert.deepEqual(
      await list(outsider),
      blocks.map((domainBlock: object) => ({ ...domainBlock, comment: null })),
    )
  }
  await setAudiences('all', 'all')
  assert.deepEqual(await list(anonymousUser), blocks)
  const text = JSON.stringify(blocks)
  assert.ok(!text.includes('only for staff') && !text.includes('hateful'))
})

test('masto.js reads the blocked servers', async () => {
  await setAudiences('all', 'all')
  const blocks = await createRestAPIClient({ url: `http://${domain}` }).v1.instance.domainBlocks.fetch()
  assert.deepEqual(
    blocks.map(({ severity }) => severity),
    ['suspend', 'suspend', 'silence'],
  )
})
