import assert from 'node:assert/strict'
import type { ClientUser, ServerPair } from './server-pair.ts'
import { logStep } from './step.ts'
import { until } from './until.ts'
import { findAccount, readHome, waitForStatus } from './wait-for-client.ts'

/** Blocks the domain of the other server after a preview, and undoes it. */
export async function moderateDomain(pair: ServerPair, { admin }: { admin: ClientUser }): Promise<void> {
  const reader = await pair.createUser(pair.a, 'carol', 'a.test')
  const author = await pair.createUser(pair.b, 'dave', 'b.test')
  try {
    const copy = await findAccount(reader, author.handle)
    await reader.api.v1.accounts.$select(copy.id).follow()
    const isFollowing = async () => {
      const [relation] = await reader.api.v1.accounts.relationships.fetch({ id: [copy.id] })
      return relation?.following === true
    }
    await until('the follow', isFollowing)
    await author.api.v1.statuses.create({ status: 'Greetings from the other server', visibility: 'public' })
    await waitForStatus(reader, 'Greetings from the other server')

    const preview = await admin.request<Record<string, number>>(
      'GET',
      '/api/v1/admin/domain_blocks/preview?domain=B.test.',
    )
    assert.ok(preview['following_count']! >= 1 && preview['statuses_count']! >= 1, JSON.stringify(preview))
    logStep(`The preview of a block of b.test: ${JSON.stringify(preview)}`)

    const block = await admin.api.v1.admin.domainBlocks.create({ domain: 'b.test', severity: 'suspend' })
    await until('the end of the follow', async () => !(await isFollowing()))
    assert.ok((await readHome(reader)).every(({ account }) => account.username !== author.name))
    await until('the notification of severed follows', async () => {
      const list = await reader.api.v1.notifications.list({ types: ['severed_relationships'] })
      return list.length === 1
    })
    logStep(`The block ends the follow of ${reader.name}, who is notified, and hides the posts`)

    await admin.api.v1.admin.domainBlocks.$select(block.id).remove()
    await until('the restored follow', isFollowing)
    await waitForStatus(reader, 'Greetings from the other server')
    await author.api.v1.statuses.create({ status: 'Here again', visibility: 'public' })
    await waitForStatus(reader, 'Here again')
    logStep('The undo restores follow and posts, and new posts arrive')
  } finally {
    for (const user of [reader, author]) user.close()
  }
}
