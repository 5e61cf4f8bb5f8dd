import { Type } from 'typebox'
import type { Ctx } from '../../domain/context.ts'
import { ref } from '../../entities/ref.ts'
import { Relationship, RelationshipWithObjects } from '../../entities/relationship.ts'
import { NotFound } from '../../lib/errors.ts'
import { renderRelationships } from '../../render/accounts/render-relationships.ts'

/** The parameter that every route takes which answers with relationships. */
export const RELATIONSHIP_FORMAT = {
  relationship_format: Type.Optional(
    Type.String({ description: '`object` writes `following`, `requested` and `muting` as objects or false.' }),
  ),
}

export const RelationshipAnswer = Type.Union([ref(Relationship), ref(RelationshipWithObjects)])
export type RelationshipAnswer = Relationship | RelationshipWithObjects

/** Whether a request's query asks for the object form. */
export function asksForObjects(query: { relationship_format?: string | undefined }): boolean {
  return query.relationship_format === 'object'
}

/** What is between the viewer and one account now. @throws NotFound */
export async function relationshipWith(
  ctx: Ctx,
  {
    id,
    viewerId,
    query,
    assumed = false,
  }: { id: string; viewerId: string; query: { relationship_format?: string | undefined }; assumed?: boolean },
): Promise<RelationshipAnswer> {
  const [relationship] = await renderRelationships(ctx, {
    ids: [id],
    viewerId,
    objectForm: asksForObjects(query),
    assumedId: assumed ? id : undefined,
  })
  if (relationship === undefined) throw new NotFound()
  return relationship
}
