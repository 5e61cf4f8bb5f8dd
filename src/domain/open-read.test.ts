import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../test/servers/test-server.ts'
import { parseEntity } from '../lib/json/json-content.ts'
import { renderAccount } from '../render/accounts/render-accounts.ts'
import type { CachedRead, Ctx, Read, Tx } from './context.ts'
import { openRead } from './open-read.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

// The compiler runs these tests: `npm run check` fails if a line below `@ts-expect-error` compiles. The functions are
// never called.
const staleReads = {
  render: (context: Ctx) =>
    // @ts-expect-error a context that can write has no epoch
    renderAccount(context, { id: '1' }),
  renderUnchecked: (read: Read) =>
    // @ts-expect-error without an epoch nothing is read through the caches
    renderAccount(read, { id: '1' }),
  renderInTransaction: (tx: Tx) =>
    // @ts-expect-error a transaction has no epoch
    renderAccount(tx, { id: '1' }),
  open: (context: Ctx) =>
    // @ts-expect-error code that can write gets a read context only by `ctx.read`, for the time of a call
    openRead(context),
  keepBeyondTheCall: (context: Ctx) =>
    // @ts-expect-error the read context ends with the call
    context.read(async (read: CachedRead) => read, {}),
  write: (read: CachedRead) =>
    // @ts-expect-error a read context cannot write
    read.write(async () => {}),
  renderAfterWriting: async (context: Ctx) => {
    const read = context.read
    await context.write(async () => {})
    // @ts-expect-error there is no read context from before the write
    return renderAccount(read, { id: '1' })
  },
}

test('reading with an epoch older than a write does not compile', () => {
  assert.ok(Object.keys(staleReads).length > 0)
})

test('a read after a write has a new epoch and sees what was written', async () => {
  const { accountId } = await testServer.createUser()
  const epochOf = async (read: CachedRead) => ({ epoch: read.invalidations.epoch })
  const nameOf = async (read: CachedRead, { id }: { id: string }) => {
    const { epoch } = await epochOf(read)
    const [{ display_name: name }] = [parseEntity(await renderAccount(read, { id }))]
    return { epoch, name }
  }
  const before = await ctx.read(nameOf, { id: accountId })
  await ctx.write((tx) =>
    tx.db
      .updateTable('accounts')
      .set((row) => ({ display_name: 'Renamed', version: row('version', '+', 1) }))
      .where('id', '=', accountId)
      .execute(),
  )
  const after = await ctx.read(nameOf, { id: accountId })
  assert.equal(after.name, 'Renamed')
  assert.notEqual(before.name, 'Renamed')
  assert.ok(after.epoch > before.epoch)
})
