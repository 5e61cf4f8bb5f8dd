import type { Readable, Writable } from 'node:stream'
import type { MediaSource } from '../probe.ts'
import { MediaUnprocessable, UnsupportedMedia } from '../refusals.ts'
import { readHeader } from './decode.ts'
import { makeEmoji } from './make-emoji.ts'
import { makeImage } from './make-image.ts'
import { checkImage, makePreview } from './make-preview.ts'
import { makeAvatar, makeProfileHeader } from './make-profile-image.ts'
import { detach } from './orders.ts'
import type { Answer, Order } from './orders.ts'
import { readMessages } from './read-message.ts'

// The process in which pictures of strangers are decoded. It has no secrets, no network and no file to write to; what a
// broken picture makes of it ends with it.

const MAX_ERROR_CHARACTERS = 2_000

async function obey(order: Order, source: MediaSource): Promise<object> {
  switch (order.make) {
    case 'header':
      return readHeader(source)
    case 'image':
      return makeImage({ source, limits: order.limits })
    case 'check':
      return checkImage(source)
    case 'preview':
      return makePreview(source)
    case 'avatar':
      return makeAvatar(source)
    case 'profile header':
      return makeProfileHeader(source)
    case 'emoji':
      return makeEmoji(source, order)
  }
}

function tell(err: unknown): Answer {
  if (err instanceof UnsupportedMedia) return { unsupported: err.message }
  if (err instanceof MediaUnprocessable) return { refused: { fault: err.fault, text: err.text } }
  const text = err instanceof Error ? (err.stack ?? err.message) : String(err)
  return { broken: text.slice(0, MAX_ERROR_CHARACTERS) }
}

async function serve({ orders, answers }: { orders: Readable; answers: Writable }): Promise<void> {
  const reader = readMessages(orders)
  for (;;) {
    const order = (await reader.readLine()) as Order | null
    if (order === null) return
    const source = order.path === null ? { buffer: await reader.readBytes(order.byteSize) } : { path: order.path }
    try {
      const { made, buffers } = detach(await obey(order, source))
      const answer: Answer = { made, byteSizes: buffers.map((one) => one.length) }
      answers.write(`${JSON.stringify(answer)}\n`)
      for (const buffer of buffers) answers.write(buffer)
    } catch (err) {
      answers.write(`${JSON.stringify(tell(err))}\n`)
    }
  }
}

await serve({ orders: process.stdin, answers: process.stdout })
