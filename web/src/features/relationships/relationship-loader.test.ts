import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { numberEntities, takeNumber } from '../../lib/api/request-numbers.ts'
import type { Relationship } from '../../lib/api/entities.ts'
import { EntityStore } from '../../lib/store/entity-store.ts'
import { RelationshipLoader } from './relationship-loader.ts'

const relationshipTo = (id: string) => ({ id, following: true }) as Relationship

function createLoader({ failures = 0 } = {}) {
  const store = new EntityStore<Relationship>()
  const requests: (readonly string[])[] = []
  const scheduled: (() => void)[] = []
  const fetch = async (ids: readonly string[]) => {
    requests.push(ids)
    if (requests.length <= failures) throw new Error('The server is away')
    return ids.map(relationshipTo)
  }
  const loader = new RelationshipLoader(store, fetch, (work) => scheduled.push(work))
  /** Ends the current task of the browser, and waits for the responses. */
  const endTask = async () => {
    for (const work of scheduled.splice(0)) work()
    await setImmediate()
  }
  return { store, requests, loader, endTask }
}

test('the relationships to all accounts of a page are one request', async () => {
  const { store, requests, loader, endTask } = createLoader()
  for (const id of ['1', '2', '3', '2']) loader.request(id)
  await endTask()
  assert.deepEqual(requests, [['1', '2', '3']])
  assert.equal(store.get('2')?.following, true)
})

test('a known relationship is not requested again, unless it is refreshed', async () => {
  const { requests, loader, endTask } = createLoader()
  loader.request('1')
  await endTask()
  loader.request('1')
  await endTask()
  assert.equal(requests.length, 1)
  loader.refresh('1')
  await endTask()
  assert.deepEqual(requests, [['1'], ['1']])
})

test('many relationships are several requests of 40', async () => {
  const { store, requests, loader, endTask } = createLoader()
  for (let id = 1; id <= 90; id += 1) loader.request(String(id))
  await endTask()
  assert.deepEqual(
    requests.map((ids) => ids.length),
    [40, 40, 10],
  )
  assert.ok(store.get('90'))
})

test('a response that was requested before a mute does not undo it, and a later one does', async () => {
  const store = new EntityStore<Relationship>()
  const requests: (() => void)[] = []
  const fetch = async (ids: readonly string[]) => {
    const response = ids.map(relationshipTo)
    numberEntities(response, takeNumber())
    return new Promise<Relationship[]>((resolve) => requests.push(() => resolve(response)))
  }
  const loader = new RelationshipLoader(store, fetch, queueMicrotask)
  const respond = async () => {
    requests.shift()?.()
    await setImmediate()
  }
  loader.request('1')
  await setImmediate()
  const mute = (relationship: Relationship) => ({ ...relationship, muting: true })
  await store.act('1', mute, async () => undefined)
  await respond()
  assert.equal(store.get('1')?.muting, true)
  loader.refresh('1')
  await setImmediate()
  await respond()
  assert.equal(store.get('1')?.muting, undefined)
})

test('after a failed request, the same relationship can be requested again', async () => {
  const { store, requests, loader, endTask } = createLoader({ failures: 1 })
  loader.request('1')
  await endTask()
  assert.equal(store.get('1'), undefined)
  loader.request('1')
  await endTask()
  assert.deepEqual([requests.length, store.get('1')?.id], [2, '1'])
})
