import fc from 'fast-check'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus } from '../federation/remote-records.ts'
import type { BuilderCtx } from '../query-builder.ts'
import type { TestServer, TestUser } from '../servers/test-server.ts'

/** The payload of an event of a status; each event has some of these ids. */
export interface StatusPayload {
  statusId: string
  accountId: string
  favouriteId: string
  reblogId: string
}

/** The payloads of events, in the order in which they happened. */
export type StatusPayloads = Record<
  'status.created' | 'status.reblogged' | 'status.favourited',
  Partial<StatusPayload>[]
>

const USER_COUNT = 4
const ACTIONS =
  'follow follow follow notify quiet unfollow block mute list exclusive tag post post tagged private mention reply ' +
  'direct reblog reblog favourite far far-mention far-direct limit delete unfavourite'
const index = fc.nat({ max: USER_COUNT - 1 })
/** Random sequences of actions for `Scene.perform`. */
export const scenes = fc.array(
  fc.record({
    action: fc.constantFrom(...ACTIONS.split(' ')),
    from: index,
    to: index,
    /** Selects one of the existing statuses. */
    pick: fc.nat({ max: 1_000 }),
  }),
  { minLength: 25, maxLength: 45 },
)
type Step = typeof scenes extends fc.Arbitrary<(infer One)[]> ? One : never

let runs = 0

/** Performs actions by the API, whose events wait, and collects the payloads of their effects. */
export class Scene {
  readonly payloads: StatusPayloads = { 'status.created': [], 'status.reblogged': [], 'status.favourited': [] }
  readonly #statusIds: string[] = []
  readonly #tag = `scene${(runs += 1)}`
  readonly #ctx: BuilderCtx
  readonly #users: TestUser[]
  readonly #farId: string

  constructor(ctx: BuilderCtx, { users, farId }: { users: TestUser[]; farId: string }) {
    this.#ctx = ctx
    this.#users = users
    this.#farId = farId
  }

  async perform({ action, from, to, pick }: Step): Promise<void> {
    const [{ client }, other] = [this.#users[from]!, this.#users[to]!]
    const follow = { follow: {}, notify: { notify: true }, quiet: { reblogs: false } }[action]
    const statusId = this.#statusIds[pick % (this.#statusIds.length || 1)]
    if (follow) await client.post(`/api/v1/accounts/${other.accountId}/follow`, follow)
    else if (['unfollow', 'block', 'mute'].includes(action)) {
      await client.post(`/api/v1/accounts/${other.accountId}/${action}`)
    } else if (action === 'list' || action === 'exclusive') {
      const { body } = await client.post('/api/v1/lists', { title: 'A list', exclusive: action === 'exclusive' })
      await client.post(`/api/v1/lists/${body.id}/accounts`, { account_ids: [other.accountId] })
    } else if (action === 'tag') await client.post(`/api/v1/tags/${this.#tag}/follow`)
    else if (action === 'limit') {
      await sql`update accounts set silenced_at = now() where id = ${other.accountId}`.execute(this.#ctx.db)
    } else if (action.startsWith('far')) await this.#receive(action, other)
    else if (action === 'delete' && statusId) await client.delete(`/api/v1/statuses/${statusId}`)
    else if (['reblog', 'favourite', 'unfavourite'].includes(action)) {
      if (statusId) await this.#interact(action, this.#users[from]!, statusId)
    } else await this.#post(action, this.#users[from]!, { other, parentId: statusId })
  }

  async #receive(action: string, { accountId }: TestUser): Promise<void> {
    const statusId = await createRemoteStatus(this.#ctx, {
      accountId: this.#farId,
      visibility: action === 'far-direct' ? 'direct' : 'public',
      mentionedIds: action === 'far' ? [] : [accountId],
    })
    this.#add(statusId)
  }

  async #post(
    action: string,
    { client }: TestUser,
    { other, parentId }: { other: TestUser; parentId: string | undefined },
  ) {
    const { status, body } = await client.post('/api/v1/statuses', {
      status: `Words ${action === 'mention' || action === 'direct' ? `@${other.username}` : ''} ${action === 'tagged' ? `#${this.#tag}` : ''}`,
      visibility: action === 'private' || action === 'direct' ? action : 'public',
      ...(action === 'reply' && parentId !== undefined && { in_reply_to_id: parentId }),
    })
    if (status === 200) this.#add(body.id)
  }

  async #interact(action: string, { client, accountId }: TestUser, statusId: string): Promise<void> {
    const { status, body } = await client.post(`/api/v1/statuses/${statusId}/${action}`)
    if (status !== 200 || action === 'unfavourite') return
    if (action === 'reblog') {
      this.payloads['status.reblogged'].push({ accountId, statusId: body.reblog.id, reblogId: body.id })
    } else {
      const favourite = await this.#ctx.db
        .selectFrom('favourites')
        .select(['id', 'status_id'])
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      const payload = { accountId, statusId: favourite.status_id, favouriteId: favourite.id }
      this.payloads['status.favourited'].push(payload)
    }
  }

  #add(statusId: string): void {
    this.#statusIds.push(statusId)
    this.payloads['status.created'].push({ statusId })
  }
}

/** Opens a scene of users who know a remote account. */
export async function openScene({ ctx, createUser }: TestServer): Promise<Scene> {
  const users = await Promise.all(Array.from({ length: USER_COUNT }, () => createUser()))
  const farId = await createRemoteAccount(ctx)
  const ids = users.slice(0, 2).map(({ accountId }) => accountId)
  await sql`insert into follows (account_id, target_account_id) select ${farId}, id from unnest(${ids}::bigint[]) id
    union all select id, ${farId} from unnest(${ids}::bigint[]) id`.execute(ctx.db)
  return new Scene(ctx, { users, farId })
}

/** A scene in which each effect has something to do, `count` times. */
export async function openBusyScene(testServer: TestServer, count: number): Promise<Scene> {
  const scene = await openScene(testServer)
  for (const action of ['follow', 'list', 'exclusive', 'tag']) await scene.perform({ action, from: 1, to: 0, pick: 0 })
  await scene.perform({ action: 'notify', from: 2, to: 0, pick: 0 })
  const posts = 'far post tagged private mention reply direct far-mention far-direct'.split(' ')
  for (let n = 0; n < count; n += 1) {
    const [remote, local] = [n * posts.length, n * posts.length + 1]
    for (const action of posts) await scene.perform({ action, from: 0, to: 1, pick: 1 })
    for (const pick of [remote, local]) await scene.perform({ action: 'favourite', from: 1, to: 0, pick })
    await scene.perform({ action: 'reblog', from: 1, to: 0, pick: local })
  }
  return scene
}
