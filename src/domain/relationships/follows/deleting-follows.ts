/**
 * Returns the `with` clause of a statement that deletes follows and decrements the counters of both sides. `where`: SQL
 * condition over `follows`. The CTE `ended` has the given columns of the deleted rows.
 */
export function deletingFollows({ where, columns }: { where: string; columns: string }): string {
  return `with ended as (
     delete from follows where ${where} returning ${columns}
   ), decrements as (
     select side.id, count(*) filter (where side.follows)::int as following,
       count(*) filter (where not side.follows)::int as followers
     from ended, lateral (values (ended.account_id, true), (ended.target_account_id, false)) side (id, follows)
     group by side.id
   ), updated_stats as (
     update account_stats st set following_count = greatest(0, st.following_count - decrements.following),
       followers_count = greatest(0, st.followers_count - decrements.followers)
     from decrements where st.account_id = decrements.id
   )`
}
