import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { MeasurementWindow } from './measurement-window.ts'
import type { PreparedWork, Signatures } from './work.ts'

/** A text of the same length as that which the signature of a delivery covers. */
const TEXT = Buffer.from('(request-target): post /inbox\nhost: h1.bench.test\n'.repeat(4))

/** Verifications between two returns to the event loop. */
const VERIFICATIONS = 50

export function prepareSignatures({ operation }: Signatures, window: MeasurementWindow): PreparedWork {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  if (operation === 'sign') {
    const signAsync = promisify<string, Buffer, typeof privateKey, Buffer>(sign)
    return {
      async run(isOver) {
        while (!isOver()) {
          const start = performance.now()
          await signAsync('sha256', TEXT, privateKey)
          window.count(performance.now() - start)
        }
      },
    }
  }
  const signature = sign('sha256', TEXT, privateKey)
  return {
    async run(isOver) {
      while (!isOver()) {
        for (let n = 0; n < VERIFICATIONS; n += 1) {
          const start = performance.now()
          const isValid = verify('sha256', TEXT, publicKey, signature)
          window.count(performance.now() - start, isValid)
        }
        await yieldToEventLoop()
      }
    },
  }
}
