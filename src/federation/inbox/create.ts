import type { Ctx } from '../../domain/context.ts'
import { readNote } from '../objects/read-note.ts'
import type { Incoming } from './incoming.ts'
import { findDocument, takeNote } from './take-note.ts'
import { takeVote } from './take-vote.ts'

/** Somebody elsewhere wrote something, or voted. */
export async function handleCreate(ctx: Ctx, incoming: Incoming): Promise<void> {
  const document = await findDocument(ctx, incoming)
  if (!document) return
  const note = readNote(document, { now: ctx.now() })
  if (note.vote === null) await takeNote(ctx, { document, incoming })
  else await takeVote(ctx, { note, incoming })
}
