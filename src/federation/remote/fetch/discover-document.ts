import type { Ctx } from '../../../domain/context.ts'
import { decodePage } from '../../../lib/webpage/decode-page.ts'
import { readUrl } from '../../../lib/webpage/describe-page.ts'
import { readHead } from '../../../lib/webpage/read-head.ts'
import type { FetchedBody } from '../../../platform/fetch/fetcher.ts'
import type { WireObject } from '../../wire/normalize.ts'
import type { FetchBudget } from './budget.ts'
import { fetchDocument, NoDocumentError } from './fetch-document.ts'
import { isDocumentType } from './is-document-type.ts'

/** A link of a `Link` header (RFC 8288 §3): its target, and its parameters. */
const LINK = /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:=(?:"[^"]*"|[^\s",;]*))?)*)/g
const PARAMETER = /;\s*([\w-]+)=(?:"([^"]*)"|([^\s",;]*))/g

/**
 * Fetches the document of a URL that a user entered. If that is a web page, fetches the document to which the page
 * links as its other representation, in the `Link` header or in the head of the page.
 * @throws what `fetchDocument` throws
 */
export async function discoverDocument(
  ctx: Ctx,
  { url, budget }: { url: string; budget: FetchBudget },
): Promise<WireObject> {
  return fetchDocument(ctx, { uri: url, budget, acceptsPage: true }).catch(async (err: unknown) => {
    const uri = err instanceof NoDocumentError ? findDocumentLink(err.response) : null
    if (uri === null) throw err
    return fetchDocument(ctx, { uri, budget })
  })
}

function findDocumentLink({ url, headers, body }: FetchedBody): string | null {
  const contentType = headers['content-type'] ?? ''
  const isPage = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)
  const links = [
    ...readLinkHeader(headers['link'] ?? ''),
    ...(isPage ? readHead(decodePage(body, { contentType })).alternates : []),
  ]
  const link = links.find(({ type }) => isDocumentType(type))
  return link ? readUrl(link.href, url) : null
}

/** Returns the links of a `Link` header to other representations, with their media types. */
function readLinkHeader(header: string): { type: string; href: string }[] {
  return [...header.matchAll(LINK)].flatMap(([, href = '', parameters = '']) => {
    const values = new Map(
      [...parameters.matchAll(PARAMETER)].map(([, name = '', quoted, bare]) => [
        name.toLowerCase(),
        quoted ?? bare ?? '',
      ]),
    )
    const isAlternate = values.get('rel')?.toLowerCase().split(/\s+/).includes('alternate') === true
    return isAlternate ? [{ type: values.get('type') ?? '', href }] : []
  })
}
