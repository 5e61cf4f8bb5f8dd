import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ctx } from '../domain/context.ts'
import { batched } from './effect-table.ts'

test('an effect for sets works on one payload like any other effect, and on several', async () => {
  const calls: [Ctx, readonly string[]][] = []
  const effect = batched<string>(async (ctx, payloads) => void calls.push([ctx, payloads]))
  const ctx = {} as Ctx
  await effect(ctx, 'one')
  await effect.runBatch(ctx, ['one', 'two'])
  assert.deepEqual(calls, [
    [ctx, ['one']],
    [ctx, ['one', 'two']],
  ])
})
