import type { Ctx } from '../../domain/context.ts'
import type { Incoming } from './incoming.ts'
import { findNote, takeNote } from './take-note.ts'

/** Somebody elsewhere wrote something. */
export async function handleCreate(ctx: Ctx, incoming: Incoming): Promise<void> {
  const document = await findNote(ctx, incoming)
  if (document) await takeNote(ctx, { document, incoming })
}
