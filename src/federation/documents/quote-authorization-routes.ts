import type { FastifyInstance } from 'fastify'
import { findActiveLocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import type { Ctx } from '../../domain/context.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { sendDocument } from './send-document.ts'
import { actorUri } from '../objects/uris.ts'
import { writeQuoteAuthorization } from '../objects/write/write-quote-activities.ts'
import { NOTE_CONTEXT, withContext } from '../wire/context.ts'

interface QuotePair {
  quoting: string
  quoted: string
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

// An authorization needs no signature, because every server that reads the quoting note has to verify it. Its URL
// contains a random key, so only readers of the note know it, even if the note is not public.
const find = statement<{ params: { quote: string; authorId: string }; row: QuotePair; notNull: 'quoted' }>(
  `select s.uri as quoting, q.quoted_uri as quoted
   from quotes q join statuses s on s.id = q.status_id join statuses quoted on quoted.id = q.quoted_status_id
   where q.authorization_key = $quote and q.quoted_account_id = $authorId and q.account_id <> $authorId
     and q.state = 'accepted'
     and quoted.local and quoted.deleted_at is null and not s.local_only and s.deleted_at is null`,
)

type ByIds = { Params: { id: string; quote: string } }

/** Registers the route of quote authorizations by local accounts (FEP-044f). */
export async function registerQuoteAuthorizationRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get<ByIds>('/ap/users/:id/quote_authorizations/:quote', async (request, reply) => {
    const { isSigned } = request.signer
    const { id, quote } = request.params
    const author = await ctx.read(findActiveLocalAccount, { id, now: ctx.now() })
    const [found] = UUID.test(quote) ? await find(ctx.db, { quote, authorId: author.id }) : []
    if (!found) throw new NotFoundError()
    const { quoting, quoted } = found
    const actor = actorUri(ctx.config, author.id)
    const uri = `${actor}/quote_authorizations/${quote}`
    const json = writeQuoteAuthorization({ uri, actor, quoting, quoted })
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, json), shared: !isSigned })
  })
}
