/**
 * Which statuses trend is cached, so changes of these rows invalidate it. A kind of its own (0010-cache-invalidation):
 * other caches do not depend on these rows. Processes of versions that do not know the kind invalidate everything.
 */
export const up = `
create function record_trends_invalidation() returns trigger language plpgsql as $$
begin
  insert into invalidations (kind, subject_id) values ('r', 0);
  return null;
end $$;
create trigger invalidate_change after insert or delete or update of score on trending_statuses
  for each statement execute function record_trends_invalidation();
create trigger invalidate_change after insert or delete or update on status_trend_reviews
  for each statement execute function record_trends_invalidation();
`
