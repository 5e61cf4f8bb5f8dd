import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PeerHost } from './peer/host.ts'

/** The body of a request to translate. */
interface Asked {
  [key: string]: unknown
  /** The pieces, as the one service calls them, and as the other does. */
  q?: string[]
  text?: string[]
}

/** What a fake service was asked, and how it is to answer. */
export interface FakeTranslator {
  /** Every request to translate, as its body says it. */
  readonly asked: Asked[]
  /** What becomes of each piece; by default its words in capitals. */
  translate: (piece: string) => string
  /** An answer to everything, instead of the right one. */
  fail: { status: number; body?: string; headers?: Record<string, string> } | null
  /** How often its languages were asked for. */
  looks: number
  /** Answers wait for this. */
  hold: Promise<void>
}

/** Words, but no tags, no entities and nothing that is not to be translated, in capitals. */
function shout(piece: string): string {
  return piece.replace(
    /<span translate="no">[^<]*<\/span>|<[^>]*>|&\w+;|([^<&]+)/g,
    (whole, words?: string) => words?.toUpperCase() ?? whole,
  )
}

function createFake(): FakeTranslator {
  return { asked: [], translate: shout, fail: null, looks: 0, hold: Promise.resolve() }
}

/** Pairs of the fake LibreTranslate, with a target for itself, as the real one tells it. */
const LIBRE_LANGUAGES = [
  { code: 'en', name: 'English', targets: ['de', 'en', 'pt-BR', 'zh-Hans'] },
  { code: 'de', name: 'German', targets: ['de', 'en'] },
]

/** LibreTranslate as it speaks, on plain http at a port of this machine. */
export async function openLibreTranslate({ apiKey }: { apiKey?: string } = {}): Promise<
  FakeTranslator & { endpoint: string; close(): Promise<void> }
> {
  const fake = createFake()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    await fake.hold
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (fake.fail)
      return void response.writeHead(fake.fail.status, fake.fail.headers).end(fake.fail.body ?? '{"error":"x"}')
    if (request.url === '/base/languages') {
      fake.looks += 1
      return void send(200, LIBRE_LANGUAGES)
    }
    if (request.url !== '/base/translate' || request.method !== 'POST') return void send(404, { error: 'Not found' })
    const asked = JSON.parse(body) as Asked
    fake.asked.push(asked)
    if (apiKey !== undefined && asked['api_key'] !== apiKey) return void send(403, { error: 'Invalid API key' })
    const isAuto = asked['source'] === 'auto'
    send(200, {
      translatedText: (asked.q ?? []).map((piece) => fake.translate(piece)),
      ...(isAuto && { detectedLanguage: (asked.q ?? []).map(() => ({ confidence: 90, language: 'de' })) }),
    })
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(fake, {
    endpoint: `http://127.0.0.1:${port}/base/`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  })
}

/** DeepL as it speaks, at a fake host with its name. */
export function serveDeepL(host: PeerHost, { apiKey }: { apiKey: string }): FakeTranslator {
  const fake = createFake()
  host.behave(/^\/v2\//, ({ request, response }) => {
    const send = (status: number, value: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (fake.fail) return void response.writeHead(fake.fail.status, fake.fail.headers).end(fake.fail.body ?? '')
    if (request.headers.authorization !== `DeepL-Auth-Key ${apiKey}`) return send(403, { message: 'Forbidden' })
    const named = (codes: string) => codes.split(' ').map((language) => ({ language, name: language }))
    if (request.path === '/v2/languages?type=source') {
      fake.looks += 1
      return send(200, named('DE EN FR'))
    }
    if (request.path === '/v2/languages?type=target') return send(200, named('DE EN-GB EN-US FR PT-BR ZH-HANS'))
    if (request.path !== '/v2/translate' || request.method !== 'POST') return send(404, { message: 'Not found' })
    const asked = JSON.parse(String(request.body)) as Asked
    fake.asked.push(asked)
    const translations = (asked.text ?? []).map((piece) => ({
      detected_source_language: asked['source_lang'] ?? 'FR',
      text: fake.translate(piece),
    }))
    return send(200, { translations })
  })
  return fake
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
