import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Stores in which order follows, favourites, boosts and blocks of remote accounts were signed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Of a Follow, Like, Announce or Block, or the Undo of one. The keys are hashes because addresses can be longer than
  // an index entry: of the actor with the id of the activity, and of the actor with the kind and its object.
  await sql`
    alter table received_activities
      add column interaction_key text,
      add column relation_key text,
      add column is_undo boolean not null default false,
      -- of an Undo: it ended an interaction that was in place under the id that it names
      add column had_effect boolean not null default false,
      -- when the sender signed the delivery, never later than it was received
      add column signed_at timestamptz`.execute(db)
  await sql`
    create index received_activities_interaction on received_activities (interaction_key, is_undo, signed_at, id)
    where interaction_key is not null`.execute(db)
  await sql`
    create index received_activities_relation on received_activities (relation_key, is_undo, signed_at, id)
    where relation_key is not null`.execute(db)
}
