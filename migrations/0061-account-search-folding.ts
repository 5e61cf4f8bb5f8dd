/** Account search ignores accents, and wide and narrow forms of characters, like status search. */
export const up = `
-- Returns a text in lower case, without accents, optional vowel signs and invisible characters, and with plain characters
-- instead of wide, narrow and stroked ones: what foldForSearch (src/lib/text/search-words.ts) returns.
create function fold_for_search(t text) returns text language plpgsql immutable strict parallel safe as $$
declare
  folded text := regexp_replace(normalize(lower(t), NFKD),
    '[\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u0652'
    '\\u0656-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\ufe00-\\ufe0f'
    -- the format characters
    '\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e'
    '\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f'
    '\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0001\\U000e0020-\\U000e007f]+', '', 'g');
begin
  -- Most names consist of ASCII characters then.
  if octet_length(folded) > length(folded) then
    folded := translate(replace(replace(replace(replace(lower(normalize(folded, NFC)),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øđðłħıς', 'oddlhiσ');
  else
    folded := lower(folded);
  end if;
  return folded;
end $$;
`
