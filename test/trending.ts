import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { changeSetting } from '../src/domain/instance/settings.ts'
import type { SettingName } from '../src/domain/instance/settings.ts'
import { refreshTrends } from '../src/domain/trends/refresh.ts'
import type { Person, World } from './world.ts'
import type { BuilderCtx } from './query-builder.ts'

/** So many people at once make something trend. */
export const ENOUGH = 5

/** A world in which something may come to trend. */
export interface Trending {
  /** People who want to be found, more than enough. */
  readonly people: readonly Person[]
  createFindable(): Promise<Person>
  /** The id of a new status. */
  post(person: Person, status: string, more?: object): Promise<string>
  /** Has so many people, the first of all, favourite a status. */
  favourite(statusId: string, count?: number): Promise<void>
  /** Has what trends measured at the moment of the world's clock. */
  measure(): Promise<void>
  set(name: SettingName, text: string): Promise<void>
}

export async function openTrending(world: World): Promise<Trending> {
  const { ctx } = world
  const trending: Omit<Trending, 'people'> = {
    async createFindable() {
      const person = await world.createPerson()
      const { status } = await person.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
      assert.equal(status, 200)
      return person
    },
    async post(person, status, more = {}) {
      const answer = await person.client.post('/api/v1/statuses', { status, ...more })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.id
    },
    async favourite(statusId, count = ENOUGH) {
      assert.ok(count <= people.length)
      for (const { client } of people.slice(0, count)) {
        assert.equal((await client.post(`/api/v1/statuses/${statusId}/favourite`)).status, 200)
      }
    },
    measure: () => refreshTrends(ctx),
    set: (name, text) => ctx.write((tx) => changeSetting(tx, { name, text })),
  }
  const people: Person[] = []
  for (let n = 0; n < 2 * ENOUGH; n += 1) people.push(await trending.createFindable())
  return { people, ...trending }
}

/** Has a page trend to which somebody links, as if many did and the staff let it. Gives the id of its card. */
export async function letTrend({ db }: Pick<BuilderCtx, 'db'>, { url }: { url: string }): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with card as (
      update preview_cards set trendable = true, language = 'en' where id = (select card_id from links where url = ${url})
      returning id
    )
    insert into trending_links (card_id, peak, peaked_at, score) select id, 9, now(), 9 from card returning card_id as id`.execute(
    db,
  )
  assert.equal(rows.length, 1, `nobody links to ${url}`)
  return rows[0]!.id
}
