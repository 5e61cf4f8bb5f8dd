import type { FastifyInstance } from 'fastify'
import { findShownAccount } from '../domain/accounts/find-local.ts'
import type { Ctx } from '../domain/context.ts'
import { NotFound } from '../lib/errors.ts'
import { statement } from '../platform/db/statement.ts'
import { sendDocument } from './answer.ts'
import { actorUri } from './objects/uris.ts'
import { writeQuoteAuthorization } from './objects/write-quote-activities.ts'
import { findSigner } from './signer.ts'
import { NOTE_CONTEXT, withContext } from './wire/context.ts'

interface Found {
  quoting: string
  quoted: string
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

// An authorization is public, because every server that reads the note has to verify it: its address is known to nobody
// else, also where the note is not for everybody.
const find = statement<{ params: { quote: string; authorId: string }; row: Found; notNull: 'quoted' }>(
  `select s.uri as quoting, q.quoted_uri as quoted
   from quotes q join statuses s on s.id = q.status_id join statuses quoted on quoted.id = q.quoted_status_id
   where q.consent_key = $quote and q.quoted_account_id = $authorId and q.account_id <> $authorId
     and q.state = 'accepted'
     and quoted.local and quoted.deleted_at is null and not s.local_only and s.deleted_at is null`,
)

type ByIds = { Params: { id: string; quote: string } }

/** That people of here agree to be quoted. */
export async function quoteAuthorizations(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get<ByIds>('/ap/users/:id/quote_authorizations/:quote', async (request, reply) => {
    const { isSigned } = await findSigner(ctx, request)
    const { id, quote } = request.params
    const author = await ctx.read(findShownAccount, { id, now: ctx.now() })
    const [found] = UUID.test(quote) ? await find(ctx.db, { quote, authorId: author.id }) : []
    if (!found) throw new NotFound()
    const { quoting, quoted } = found
    const actor = actorUri(ctx.config, author.id)
    const uri = `${actor}/quote_authorizations/${quote}`
    const json = writeQuoteAuthorization({ uri, actor, quoting, quoted })
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, json), shared: !isSigned })
  })
}
