import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { ref } from '../../../entities/schema/ref.ts'
import { Relationship, RelationshipWithObjects } from '../../../entities/accounts/relationship.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { renderRelationships } from '../../../render/accounts/render-relationships.ts'

/** The query parameter of all routes that return relationships. */
export const RELATIONSHIP_PARAMS = {
  relationship_format: Type.Optional(
    Type.String({ description: '`object` writes `following`, `requested` and `muting` as objects or false.' }),
  ),
}

export const RelationshipResponse = Type.Union([ref(Relationship), ref(RelationshipWithObjects)])
export type RelationshipResponse = Relationship | RelationshipWithObjects

/** Whether the query requests the object form. */
export function requestsObjectForm(query: { relationship_format?: string | undefined }): boolean {
  return query.relationship_format === 'object'
}

/**
 * Returns the current relationship between the viewer and an account. `assumed` is passed on as `assumedId` of
 * `renderRelationships`.
 * @throws NotFoundError
 */
export async function renderRelationship(
  ctx: Ctx,
  {
    id,
    viewerId,
    query,
    assumed = false,
  }: { id: string; viewerId: string; query: { relationship_format?: string | undefined }; assumed?: boolean },
): Promise<RelationshipResponse> {
  const [relationship] = await renderRelationships(ctx, {
    ids: [id],
    viewerId,
    objectForm: requestsObjectForm(query),
    assumedId: assumed ? id : undefined,
  })
  if (relationship === undefined) throw new NotFoundError()
  return relationship
}
