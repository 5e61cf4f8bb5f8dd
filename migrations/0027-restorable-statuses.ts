/** What the restoration of statuses needs that staff deleted. */
export const up = `
-- The hidden statuses that staff deleted and can restore. A status that its author deleted is not among them.
create table restorable_statuses (
  status_id bigint primary key references statuses on delete cascade,
  -- the replies to it, which were detached when it was hidden
  reply_ids bigint[] not null
);

-- when staff last restored the status; the ids of later Create and Delete activities contain it
alter table statuses add column restored_at timestamptz;

-- The state of a deleted quote ('pending' or 'accepted') before the deletion of one of its statuses.
alter table quotes add column state_before_deletion text;
`
