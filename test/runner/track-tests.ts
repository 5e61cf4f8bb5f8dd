import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'

/**
 * Loaded before `node:test`. To find the test that runs, `node:test` follows every promise of the process by an async
 * hook, which takes a tenth of the processor time of the suite. Here, an `AsyncLocalStorage` carries the id of the
 * test, and promises are not followed.
 */
const runningTest = new AsyncLocalStorage<{ asyncId: number }>()
const { createHook, executionAsyncId } = asyncHooks

Object.assign(asyncHooks, {
  createHook: (callbacks: Parameters<typeof createHook>[0]) => createHook({ ...callbacks, trackPromises: false }),
  executionAsyncId: () => runningTest.getStore()?.asyncId ?? executionAsyncId(),
})
// `node:test` calls a test in the async scope of the test, so this is its id.
tracingChannel('node.test').start.bindStore(runningTest, () => ({ asyncId: executionAsyncId() }))
