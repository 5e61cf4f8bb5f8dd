import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { takeNumber } from '../api/request-numbers.ts'
import { EntityStore } from './entity-store.ts'

interface Post {
  id: string
  favourited: boolean
  favouritesCount: number
  bookmarked: boolean
}
type Flag = 'favourited' | 'bookmarked'

const POST: Post = { id: '1', favourited: false, favouritesCount: 5, bookmarked: false }

function withFlag(post: Post, flag: Flag, on: boolean): Post {
  if (post[flag] === on) return post
  const favouritesCount = post.favouritesCount + (flag === 'favourited' ? (on ? 1 : -1) : 0)
  return { ...post, [flag]: on, favouritesCount }
}

/** Starts an action. Returns the function that ends its request. */
function start(store: EntityStore<Post>, flag: Flag, on: boolean) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const done = store.act(
    POST.id,
    (post) => withFlag(post, flag, on),
    () => promise,
  )
  return {
    accept: async () => {
      resolve()
      await done
    },
    refuse: async () => {
      reject(new Error('Refused'))
      await assert.rejects(done, /Refused/)
    },
  }
}

function createStore() {
  const store = new EntityStore<Post>()
  store.save(POST, takeNumber())
  return store
}

test('the result of an action stays until a response arrives that was requested after it', async () => {
  const store = createStore()
  const before = takeNumber()
  const favourite = start(store, 'favourited', true)
  const meanwhile = takeNumber()
  store.save({ ...POST, favouritesCount: 7 }, before)
  assert.deepEqual(store.get('1'), { ...POST, favourited: true, favouritesCount: 8 })
  await favourite.accept()
  store.save({ ...POST, favouritesCount: 9 }, meanwhile)
  assert.deepEqual(store.get('1'), { ...POST, favourited: true, favouritesCount: 10 })
  // Another client of the user has undone it.
  const after = takeNumber()
  store.save(POST, after)
  assert.deepEqual(store.get('1'), POST)
  // A stream has no requests.
  store.save({ ...POST, favouritesCount: 4 })
  assert.deepEqual(store.get('1'), { ...POST, favouritesCount: 4 })
})

test('a refused action leaves what was received meanwhile, and protects nothing', async () => {
  const store = createStore()
  const before = takeNumber()
  const favourite = start(store, 'favourited', true)
  const meanwhile = takeNumber()
  store.save({ ...POST, favouritesCount: 7 }, meanwhile)
  await favourite.refuse()
  assert.deepEqual(store.get('1'), { ...POST, favouritesCount: 7 })
  store.save(POST, before)
  assert.deepEqual(store.get('1'), POST)
})

test('an action on an entity that is not known yet applies to it', async () => {
  const store = new EntityStore<Post>()
  const before = takeNumber()
  await start(store, 'bookmarked', true).accept()
  store.save(POST, before)
  assert.equal(store.get('1')?.bookmarked, true)
})

test('the result of an action may come from its response, and stays when many actions follow', async () => {
  const store = createStore()
  let favouritesCount = POST.favouritesCount
  const change = (post: Post) => ({ ...post, favouritesCount })
  await store.act('1', change, async () => {
    favouritesCount = 7
  })
  assert.equal(store.get('1')?.favouritesCount, 7)
  for (let other = 2; other <= 200; other += 1) await store.act(String(other), change, async () => undefined)
  await start(store, 'bookmarked', true).refuse()
  assert.equal(store.get('1')?.favouritesCount, 7)
})

const flag = fc.constantFrom<Flag>('favourited', 'bookmarked')
const step = fc.oneof(
  fc.record({ type: fc.constant('request' as const) }),
  // The server reads the post, and the response arrives.
  fc.record({ type: fc.constantFrom('read' as const, 'arrive' as const), index: fc.nat(1) }),
  fc.record({
    type: fc.constantFrom('start' as const, 'perform' as const, 'accept' as const, 'refuse' as const),
    flag,
  }),
)

test('in whatever order requests are answered, the actions of the user show at once and stay', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const store = createStore()
      let [onServer, wanted] = [POST, POST]
      const requests: { number: number; read: Post | null }[] = []
      const running = new Map<
        Flag,
        ReturnType<typeof start> & { on: boolean; number: number; performed: Post | null }
      >()
      for (const one of steps) {
        if (one.type === 'request') {
          requests.push({ number: takeNumber(), read: null })
        } else if ('index' in one) {
          const request = requests[one.index]
          if (!request) continue
          request.read ??= onServer
          if (one.type === 'read') continue
          requests.splice(one.index, 1)
          store.save(request.read, request.number)
        } else if (one.type === 'start') {
          if (running.has(one.flag)) continue
          const on = !wanted[one.flag]
          wanted = withFlag(wanted, one.flag, on)
          const number = takeNumber()
          running.set(one.flag, { ...start(store, one.flag, on), on, number, performed: null })
        } else {
          const action = running.get(one.flag)
          if (!action) continue
          if (one.type === 'perform' || (one.type === 'accept' && !action.performed))
            action.performed ??= onServer = withFlag(onServer, one.flag, action.on)
          if (one.type === 'accept') {
            store.save(action.performed!, action.number)
            await action.accept()
            running.delete(one.flag)
          } else if (one.type === 'refuse' && !action.performed) {
            await action.refuse()
            wanted = withFlag(wanted, one.flag, !action.on)
            running.delete(one.flag)
          }
        }
        assert.deepEqual(store.get('1'), wanted)
      }
      for (const action of running.values()) await action.accept()
    }),
  )
})
