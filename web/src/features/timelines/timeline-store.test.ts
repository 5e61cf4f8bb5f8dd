import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Status } from '../../lib/api/entities.ts'
import { TimelineStore } from './timeline-store.ts'
import type { TimelineEntry, TimelineSource } from './timeline-store.ts'

const statusOf = (id: number) => ({ id: String(id) }) as Status

/** A server with the statuses 1 to `newest`, the newest first. */
function createServer(newest: number) {
  const server: { newest: number; fails: boolean; source: TimelineSource } = {
    newest,
    fails: false,
    source: {
      save: (statuses) => statuses.map(({ id }) => id),
      fetchPage: async ({ maxId = String(server.newest + 1), sinceId = '0', limit }) => {
        if (server.fails) throw new Error('The server is down')
        const ids = Array.from({ length: server.newest }, (_, index) => server.newest - index)
        return ids
          .filter((id) => id < Number(maxId) && id > Number(sinceId))
          .slice(0, limit)
          .map(statusOf)
      },
    },
  }
  return server
}

const shown = (entries: readonly TimelineEntry[]) => entries.map(({ type, id }) => (type === 'gap' ? '…' : id))
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => String(from - index))

test('the first page is shown, and older pages follow until the oldest status', async () => {
  const timeline = new TimelineStore(createServer(25).source)
  await timeline.loadNewest()
  assert.deepEqual(shown(timeline.getState().entries), down(25, 6))
  await timeline.loadOlder()
  assert.deepEqual(shown(timeline.getState().entries), down(25, 1))
  assert.equal(timeline.getState().complete, false)
  await timeline.loadOlder()
  assert.equal(timeline.getState().complete, true)
})

test('new statuses wait until the user asks for them', async () => {
  const server = createServer(3)
  const timeline = new TimelineStore(server.source)
  await timeline.loadNewest()
  timeline.receive(statusOf(4))
  timeline.receive(statusOf(4))
  assert.deepEqual(shown(timeline.getState().entries), ['3', '2', '1'])
  assert.deepEqual(shown(timeline.getState().pending), ['4'])
  timeline.showPending()
  assert.deepEqual(shown(timeline.getState().entries), ['4', '3', '2', '1'])
  assert.deepEqual(timeline.getState().pending, [])
})

test('after an absence the statuses in between are a gap, which is filled page by page', async () => {
  const server = createServer(5)
  const timeline = new TimelineStore(server.source)
  await timeline.loadNewest()
  server.newest = 50
  await timeline.loadNewest()
  timeline.showPending()
  assert.deepEqual(shown(timeline.getState().entries), [...down(50, 31), '…', ...down(5, 1)])
  await timeline.fillGap('31')
  assert.deepEqual(shown(timeline.getState().entries), [...down(50, 11), '…', ...down(5, 1)])
  await timeline.fillGap('11')
  assert.deepEqual(shown(timeline.getState().entries), down(50, 1))
})

test('when several events report the end of an absence, the statuses in between are one gap', async () => {
  const server = createServer(5)
  const timeline = new TimelineStore(server.source)
  await timeline.loadNewest()
  server.newest = 50
  const first = timeline.loadNewest()
  server.newest = 51
  await Promise.all([first, timeline.catchUp(), timeline.loadNewest()])
  timeline.showPending()
  assert.deepEqual(shown(timeline.getState().entries), [...down(51, 31), '…', ...down(5, 1)])
})

test('a failed request keeps what is shown, and can be repeated', async () => {
  const server = createServer(25)
  const timeline = new TimelineStore(server.source)
  server.fails = true
  await timeline.loadNewest()
  assert.equal(timeline.getState().failed, true)
  server.fails = false
  await timeline.loadNewest()
  server.fails = true
  await timeline.loadOlder()
  assert.deepEqual(
    [shown(timeline.getState().entries).length, timeline.getState().failed, timeline.getState().loading],
    [20, true, null],
  )
  server.fails = false
  await timeline.loadOlder()
  assert.equal(timeline.getState().failed, false)
  assert.equal(timeline.getState().entries.length, 25)
})

test('a deleted status disappears from the timeline and from those that wait', async () => {
  const timeline = new TimelineStore(createServer(3).source)
  await timeline.loadNewest()
  timeline.receive(statusOf(4))
  timeline.remove('4')
  timeline.remove('2')
  assert.deepEqual(shown(timeline.getState().entries), ['3', '1'])
  assert.deepEqual(timeline.getState().pending, [])
})

test('whatever the stream misses, all statuses are there once and in order after a reload and without gaps', async () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant('post' as const), count: fc.integer({ min: 1, max: 45 }), streamed: fc.boolean() }),
    fc.record({ type: fc.constantFrom('newest' as const, 'older' as const, 'show' as const, 'fill' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const server = createServer(30)
      const timeline = new TimelineStore(server.source)
      await timeline.loadNewest()
      for (const one of steps) {
        if (one.type === 'post') {
          server.newest += one.count
          if (one.streamed) timeline.receive(statusOf(server.newest))
        } else if (one.type === 'newest') await timeline.loadNewest()
        else if (one.type === 'older') await timeline.loadOlder()
        else if (one.type === 'show') timeline.showPending()
        else {
          const gap = timeline.getState().entries.find(({ type }) => type === 'gap')
          if (gap) await timeline.fillGap(gap.id)
        }
      }
      await timeline.loadNewest()
      timeline.showPending()
      const findGap = () => timeline.getState().entries.find(({ type }) => type === 'gap')
      for (let gap = findGap(); gap; gap = findGap()) await timeline.fillGap(gap.id)
      const { entries } = timeline.getState()
      assert.deepEqual(shown(entries), down(server.newest, Number(entries.at(-1)!.id)))
    }),
  )
})

test('in a list that has an order of its own, a new first entry appears above the others', async () => {
  let order = ['2', '9', '5']
  const save = (statuses: readonly Status[]) => statuses.map(({ id }) => id)
  const fetchPage = async ({ maxId }: { maxId?: string }) => (maxId ? [] : order.map((id) => statusOf(Number(id))))
  const timeline = new TimelineStore({ isUnordered: true, save, fetchPage })
  await timeline.loadNewest()
  order = ['7', ...order]
  await timeline.loadNewest()
  assert.deepEqual(shown(timeline.getState().entries), ['7', '2', '9', '5'])
  order = ['1', '3']
  await timeline.loadNewest()
  assert.deepEqual(shown(timeline.getState().entries), ['1', '3'])
})

test('after a time without the stream, deleted statuses disappear, and changed ones are saved again', async () => {
  const server = createServer(3)
  const saved: string[] = []
  const { source } = server
  const timeline = new TimelineStore({
    save: (statuses) => {
      saved.push(...statuses.map(({ id }) => id))
      return source.save(statuses)
    },
    fetchPage: async (page) => (await source.fetchPage(page)).filter(({ id }) => id !== '2' || saved.length < 3),
  })
  // The stream may open while the first page is loading.
  await Promise.all([timeline.loadNewest(), timeline.catchUp()])
  assert.deepEqual(saved, ['3', '2', '1', '3', '1'])
  assert.deepEqual(shown(timeline.getState().entries), ['3', '1'])
})

test('a status of the first page that the stream brings first does not wait', async () => {
  const timeline = new TimelineStore(createServer(3).source)
  const loaded = timeline.loadNewest()
  timeline.receive(statusOf(3))
  timeline.receive(statusOf(4))
  await loaded
  assert.deepEqual(shown(timeline.getState().entries), ['3', '2', '1'])
  assert.deepEqual(shown(timeline.getState().pending), ['4'])
})

test('a status that the user has just posted stays while the server does not list it yet', async () => {
  const timeline = new TimelineStore(createServer(3).source)
  await timeline.loadNewest()
  timeline.prepend(statusOf(4))
  await timeline.catchUp()
  assert.deepEqual(shown(timeline.getState().entries), ['4', '3', '2', '1'])
})

test('an empty timeline shows a status of the stream at once, also if it comes before the empty first page', async () => {
  const loaded = new TimelineStore(createServer(0).source)
  await loaded.loadNewest()
  loaded.receive(statusOf(1))
  assert.deepEqual(shown(loaded.getState().entries), ['1'])
  const loading = new TimelineStore(createServer(0).source)
  const done = loading.loadNewest()
  loading.receive(statusOf(1))
  await done
  assert.deepEqual(shown(loading.getState().entries), ['1'])
  assert.deepEqual(loading.getState().pending, [])
})
