import type { FastifyInstance, InjectOptions } from 'fastify'
import { parse } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { multipart } from './client.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** A form of a page, with the values that it would send. */
interface Form {
  action: string
  method: string
  values: Record<string, string>
}

export interface PageResponse {
  status: number
  /** The target of a redirect, or null. */
  location: string | null
  headers: Record<string, unknown>
  html: string
  /** The visible text. */
  text: string
  forms: Form[]
}

/** A browser without JavaScript that stores cookies and does not follow redirects. */
export interface Browser {
  cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<PageResponse>
  /** Sends the fields of a form, without a page. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<PageResponse>
  /** Fills in the form of a page with this action, and sends it. */
  submit(
    page: PageResponse,
    action: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<PageResponse>
  /** Fills in a form of a page that has files, and sends it. */
  upload(page: PageResponse, action: string, fields: Parameters<typeof multipart>[0]): Promise<PageResponse>
}

export function createBrowser(server: FastifyInstance): Browser {
  const cookies = new Map<string, string>()

  const send = async (options: InjectOptions): Promise<PageResponse> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await server.inject({
      ...options,
      headers: { accept: 'text/html', ...(cookie ? { cookie } : {}), ...options.headers },
    })
    for (const line of [response.headers['set-cookie'] ?? []].flat()) storeCookie(cookies, line)
    const nodes = [...elements(parse(response.body))]
    return {
      status: response.statusCode,
      location: response.headers.location ?? null,
      headers: response.headers,
      html: response.body,
      text: nodes
        .filter(({ tagName }) => tagName === 'body')
        .map(textOf)
        .join(' ')
        .replace(/\s+/g, ' ')
        .trim(),
      forms: nodes.filter(({ tagName }) => tagName === 'form').map(formOf),
    }
  }

  const post: Browser['post'] = (path, fields, headers = {}) =>
    send({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    })
  return {
    cookies,
    get: (path, headers = {}) => send({ method: 'GET', url: path, headers }),
    post,
    submit(page, action, fields = {}, headers = {}) {
      const form = page.forms.find((one) => one.action === action && one.method === 'post')
      if (!form) throw new Error(`The page has no form for ${action}: ${page.text}`)
      return post(action, { ...form.values, ...fields }, headers)
    },
    async upload(page, action, fields) {
      const form = page.forms.find((one) => one.action === action && one.method === 'post')
      if (!form) throw new Error(`The page has no form for ${action}: ${page.text}`)
      const { payload, headers } = await multipart({ ...form.values, ...fields })
      return send({ method: 'POST', url: action, headers: { ...headers, ...uniqueAddressHeaders() }, payload })
    },
  }
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const [name = '', value = ''] = pair.split('=')
  const isDeleted = attributes.some((attribute) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute))
  if (isDeleted) cookies.delete(name)
  else cookies.set(name, value)
}

function* elements(node: Node): Generator<Element> {
  if ('tagName' in node) yield node
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child)
}

function textOf(node: Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value
}

function formOf(form: Element): Form {
  const values: Record<string, string> = {}
  for (const field of elements(form)) {
    const name = attribute(field, 'name')
    if (name === undefined || !['input', 'textarea'].includes(field.tagName)) continue
    if (attribute(field, 'type') === 'checkbox' && attribute(field, 'checked') === undefined) continue
    values[name] = field.tagName === 'textarea' ? textOf(field) : (attribute(field, 'value') ?? '')
  }
  return { action: attribute(form, 'action') ?? '', method: attribute(form, 'method') ?? 'get', values }
}

let addresses = 0

/** Returns headers with a unique client address, so that no throttle is reached. */
export function uniqueAddressHeaders(): Record<string, string> {
  addresses += 1
  return { 'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}` }
}
