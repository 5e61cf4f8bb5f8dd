import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PeerHost } from '../federation/peer/host.ts'

/** The body of a translation request. */
interface TranslationRequest {
  [key: string]: unknown
  /** The texts: `q` in LibreTranslate, `text` in DeepL. */
  q?: string[]
  text?: string[]
}

/** The requests to a fake translation service, and its behaviour. */
export interface FakeTranslator {
  /** The bodies of all translation requests. */
  readonly requests: TranslationRequest[]
  /** Translates a text; by default, to capitals. */
  translate: (text: string) => string
  /** A response to all requests instead of the correct one. */
  fail: { status: number; body?: string; headers?: Record<string, string> } | null
  /** The number of requests for the languages. */
  languageRequests: number
  /** Responses wait for this promise. */
  pause: Promise<void>
}

/** Converts text to capitals, except tags, entities, and spans and links with `translate="no"`. */
function translateToCapitals(text: string): string {
  return text.replace(
    /<span translate="no">[^<]*<\/span>|<a [^>]*translate="no".*?<\/a>|<[^>]*>|&\w+;|([^<&]+)/g,
    (whole, words?: string) => words?.toUpperCase() ?? whole,
  )
}

function createFake(): FakeTranslator {
  return { requests: [], translate: translateToCapitals, fail: null, languageRequests: 0, pause: Promise.resolve() }
}

/** The languages of the fake LibreTranslate; like the real one, it lists each language as its own target. */
const LIBRE_LANGUAGES = [
  { code: 'en', name: 'English', targets: ['de', 'en', 'nb', 'pt-BR', 'zh-Hans', 'zh-Hant'] },
  { code: 'de', name: 'German', targets: ['de', 'en'] },
  { code: 'nb', name: 'Norwegian', targets: ['en', 'nb'] },
  { code: 'zh-Hans', name: 'Chinese (simplified)', targets: ['en', 'zh-Hans', 'zh-Hant'] },
  { code: 'zh-Hant', name: 'Chinese (traditional)', targets: ['en', 'zh-Hans', 'zh-Hant'] },
]

/** Opens a fake LibreTranslate server, on http at a local port. */
export async function openLibreTranslate({ apiKey }: { apiKey?: string } = {}): Promise<
  FakeTranslator & { endpoint: string; close(): Promise<void> }
> {
  const fake = createFake()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    await fake.pause
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (fake.fail)
      return void response.writeHead(fake.fail.status, fake.fail.headers).end(fake.fail.body ?? '{"error":"x"}')
    if (request.url === '/base/languages') {
      fake.languageRequests += 1
      return void send(200, LIBRE_LANGUAGES)
    }
    if (request.url !== '/base/translate' || request.method !== 'POST') return void send(404, { error: 'Not found' })
    const translationRequest = JSON.parse(body) as TranslationRequest
    fake.requests.push(translationRequest)
    if (apiKey !== undefined && translationRequest['api_key'] !== apiKey)
      return void send(403, { error: 'Invalid API key' })
    const isAuto = translationRequest['source'] === 'auto'
    send(200, {
      translatedText: (translationRequest.q ?? []).map((text) => fake.translate(text)),
      ...(isAuto && { detectedLanguage: (translationRequest.q ?? []).map(() => ({ confidence: 90, language: 'de' })) }),
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

/** Serves a fake DeepL API on a fake host. */
export function serveDeepL(host: PeerHost, { apiKey }: { apiKey: string }): FakeTranslator {
  const fake = createFake()
  host.behave(/^\/v2\//, ({ request, response }) => {
    const send = (status: number, value: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (fake.fail) return void response.writeHead(fake.fail.status, fake.fail.headers).end(fake.fail.body ?? '')
    if (request.headers.authorization !== `DeepL-Auth-Key ${apiKey}`) return send(403, { message: 'Forbidden' })
    const named = (codes: string) => codes.split(' ').map((language) => ({ language, name: language }))
    if (request.path === '/v2/languages?type=source') {
      fake.languageRequests += 1
      return send(200, named('DE EN FR NB ZH'))
    }
    if (request.path === '/v2/languages?type=target')
      return send(200, named('DE EN-GB EN-US FR NB PT-BR PT-PT ZH ZH-HANS ZH-HANT'))
    if (request.path !== '/v2/translate' || request.method !== 'POST') return send(404, { message: 'Not found' })
    const translationRequest = JSON.parse(String(request.body)) as TranslationRequest
    fake.requests.push(translationRequest)
    if ((translationRequest.text ?? []).length > 50) return send(400, { message: 'Too many texts' })
    const translations = (translationRequest.text ?? []).map((text) => ({
      detected_source_language: translationRequest['source_lang'] ?? 'FR',
      text: fake.translate(text),
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
