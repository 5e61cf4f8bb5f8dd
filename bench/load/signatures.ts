import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Window } from './window.ts'
import type { Hands, Signatures } from './work.ts'

/** As long as what a signature of a delivery covers. */
const TEXT = Buffer.from('(request-target): post /inbox\nhost: h1.bench.test\n'.repeat(4))

/** Checks between two looks at the clock. */
const CHECKS = 50

export function prepareSignatures({ way }: Signatures, window: Window): Hands {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  if (way === 'sign') {
    const signAside = promisify<string, Buffer, typeof privateKey, Buffer>(sign)
    return {
      async run(isOver) {
        while (!isOver()) {
          const start = performance.now()
          await signAside('sha256', TEXT, privateKey)
          window.count(performance.now() - start)
        }
      },
    }
  }
  const signature = sign('sha256', TEXT, privateKey)
  return {
    async run(isOver) {
      while (!isOver()) {
        for (let n = 0; n < CHECKS; n += 1) {
          const start = performance.now()
          const holds = verify('sha256', TEXT, publicKey, signature)
          window.count(performance.now() - start, holds)
        }
        await yieldToOthers()
      }
    },
  }
}
