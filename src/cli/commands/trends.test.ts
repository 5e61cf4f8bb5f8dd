import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { urlOf } from '../../../test/servers/linnet-process.ts'
import { runCommand } from '../../../test/run-command.ts'
import { ENOUGH_ACCOUNTS, openTrendServer } from '../../../test/features/trends.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx, connection } = testServer
const { users, post, favourite, measure, set } = await openTrendServer(testServer)

const env = { DATA_DIR: ctx.config.dataDir, DATABASE_URL: urlOf(connection), LOCAL_DOMAIN: 'linnet.test' }
const trends = (...args: string[]) => runCommand(['trends', ...args], env)
const rowsOf = async (...args: string[]) => {
  const { code, stdout, stderr } = await trends('list', ...args)
  assert.deepEqual([code, stderr], [0, ''])
  return stdout.split('\n').filter(Boolean)
}

test('trends are listed, approved and rejected by name', async () => {
  for (const user of users.slice(0, ENOUGH_ACCOUNTS)) await post(user, '#Storm')
  const id = await post(users[0]!, 'Everybody likes it')
  await favourite(id)
  await sql`with card as (
      insert into preview_cards (url, type, title, language, image_key)
      values ('https://page.test/1', 'link', E'A\npage', 'en', 'cards/page.png')
      returning id
    ), link as (
      insert into preview_links (url, card_id, due_at) select 'https://page.test/1?from=feed', id, now() from card returning id
    ) insert into preview_link_uses (link_id, day, account_id)
    select link.id, (now() at time zone 'UTC')::date, x.id
    from link, unnest(${users.slice(0, ENOUGH_ACCOUNTS).map(({ accountId }) => accountId)}::bigint[]) x (id)`.execute(
    ctx.db,
  )
  await measure()
  const rows = await rowsOf()
  assert.deepEqual(
    [rows[0], rows[2], rows[3]],
    [
      'tag\tStorm\t16.0\tpending\t-',
      'link\thttps://page.test/1\t16.0\tpending\tA page',
      'publisher\tpage.test\t16.0\tpending\t-',
    ],
  )
  assert.match(rows[1]!, new RegExp(`^status\t${id}\t1[56]\\.\\d\tpending\t@\\w+ https://linnet\\.test/@\\w+/${id}$`))
  assert.equal((await trends('approve', 'tag', '#storm')).stdout, 'OK\n')
  assert.equal((await trends('approve', 'publisher', 'page.test')).stdout, 'OK\n')
  assert.equal((await trends('reject', 'status', id)).stdout, 'OK\n')
  assert.deepEqual(
    (await rowsOf()).map((row) => row.split('\t')[3]),
    ['shown', 'rejected', 'shown', 'shown'],
  )
  assert.equal((await trends('reject', 'link', 'https://page.test/1?from=feed#place')).stdout, 'OK\n')
  assert.match((await rowsOf('link'))[0]!, /\trejected\t/)
  await set('trends', 'off')
  assert.deepEqual(await rowsOf('tag'), ['tag\tStorm\t16.0\tapproved\t-'])
})

test('an unknown trend is rejected in one line, and nothing changes', async () => {
  for (const [kind, name] of [
    ['tag', 'never'],
    ['tag', 'no tag'],
    ['status', '7'],
    ['status', 'x'],
    ['link', 'words'],
    ['publisher', 'never.test'],
  ] as const) {
    const { code, stdout, stderr } = await trends('approve', kind, name)
    assert.deepEqual([code, stdout, stderr], [1, '', `There is no ${kind} ${name}\n`])
  }
  await trends('reject', 'tag', 'storm', 'never')
  assert.match((await rowsOf('tag'))[0]!, /approved/)
})
