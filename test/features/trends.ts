import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { changeSetting } from '../../src/domain/instance/instance-settings.ts'
import type { SettingName } from '../../src/domain/instance/setting-definitions.ts'
import { refreshTrends } from '../../src/domain/trends/refresh-trends.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'
import type { BuilderCtx } from '../query-builder.ts'

/** An item trends if this many accounts use it. */
export const ENOUGH_ACCOUNTS = 5

/** Actions on a test server that make items trend. */
export interface TrendServer {
  /** Discoverable users, twice as many as a trend needs. */
  readonly users: readonly TestUser[]
  createFindable(): Promise<TestUser>
  /** Posts a status, and returns its id. */
  post(user: TestUser, status: string, more?: object): Promise<string>
  /** Favourites a status as the first `count` users. */
  favourite(statusId: string, count?: number): Promise<void>
  /** Refreshes the trends at the time of the test server's clock. */
  measure(): Promise<void>
  set(name: SettingName, text: string): Promise<void>
}

export async function openTrendServer(testServer: TestServer): Promise<TrendServer> {
  const { ctx } = testServer
  const trendServer: Omit<TrendServer, 'users'> = {
    async createFindable() {
      const user = await testServer.createUser()
      const { status } = await user.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
      assert.equal(status, 200)
      return user
    },
    async post(user, status, more = {}) {
      const answer = await user.client.post('/api/v1/statuses', { status, ...more })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.id
    },
    async favourite(statusId, count = ENOUGH_ACCOUNTS) {
      assert.ok(count <= users.length)
      for (const { client } of users.slice(0, count)) {
        assert.equal((await client.post(`/api/v1/statuses/${statusId}/favourite`)).status, 200)
      }
    },
    measure: () => refreshTrends(ctx),
    set: (name, text) => ctx.write((tx) => changeSetting(tx, { by: null, name, text })),
  }
  const users: TestUser[] = []
  for (let n = 0; n < 2 * ENOUGH_ACCOUNTS; n += 1) users.push(await trendServer.createFindable())
  return { users, ...trendServer }
}

/** Makes a linked page trend, as if many accounts had used it and staff had approved it. Returns the id of its card. */
export async function makeCardTrend({ db }: Pick<BuilderCtx, 'db'>, { url }: { url: string }): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with card as (
      update preview_cards set trendable = true, language = 'en', image_key = 'cards/page.png'
      where id = (select card_id from preview_links where url = ${url})
      returning id
    )
    insert into trending_links (card_id, peak, peaked_at, score) select id, 9, now(), 9 from card returning card_id as id`.execute(
    db,
  )
  assert.equal(rows.length, 1, `no status links to ${url}`)
  return rows[0]!.id
}
