/**
 * Ends follows and counts them on both sides, as the beginning of a statement: `ended` has those that `which` says, as
 * SQL over `follows`, with these columns.
 */
export function endingFollows({ which, columns }: { which: string; columns: string }): string {
  return `with ended as (
     delete from follows where ${which} returning ${columns}
   ), fewer as (
     select side.id, count(*) filter (where side.follows)::int as following,
       count(*) filter (where not side.follows)::int as followers
     from ended, lateral (values (ended.account_id, true), (ended.target_account_id, false)) side (id, follows)
     group by side.id
   ), counted as (
     update account_stats st set following_count = greatest(0, st.following_count - fewer.following),
       followers_count = greatest(0, st.followers_count - fewer.followers)
     from fewer where st.account_id = fewer.id
   )`
}
