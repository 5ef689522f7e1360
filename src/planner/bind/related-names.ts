/** Names that say the same in more or fewer words: `event_count` for `count`, `pull_requests` for `github_pull_requests`. */

/**
 * The one candidate whose words are all in `name`, or that has all the words of `name`; with several the one that shares
 * most words. `undefined` when none does, or when two do equally well.
 */
export function relatedName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = wordsOf(name);
  let best: string | undefined;
  let bestShared = 0;
  let tied = false;
  for (const candidate of candidates) {
    const words = wordsOf(candidate);
    const shared = words.filter((word) => wanted.includes(word)).length;
    if (shared === 0 || (shared < words.length && shared < wanted.length)) continue;
    if (shared > bestShared) {
      best = candidate;
      bestShared = shared;
      tied = false;
    } else if (shared === bestShared) {
      tied = true;
    }
  }
  return tied ? undefined : best;
}

/**
 * The candidate that is the name apart from case, separators, plural and a prefix: `pullRequest` and `pull_requests` for
 * `github_pull_requests`. The shortest of several; `undefined` when there is none.
 */
export function sameName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = squeezed(name);
  if (wanted.length < 3) return undefined;
  let best: string | undefined;
  for (const candidate of candidates) {
    if (!squeezed(candidate).endsWith(wanted)) continue;
    if (squeezed(candidate) === wanted) return candidate;
    const isWhole = wordsOf(candidate).some((_, i, words) => words.slice(i).join("") === wanted);
    if (isWhole && (best === undefined || candidate.length < best.length)) best = candidate;
  }
  return best;
}

function squeezed(name: string): string {
  return wordsOf(name).join("");
}

/** Lower-case words without their plural; `prAuthor` has two. */
function wordsOf(name: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  for (const character of name) {
    const isLetter = character.toLowerCase() !== character.toUpperCase() || (character >= "0" && character <= "9");
    const startsWord =
      character !== character.toLowerCase() &&
      word !== "" &&
      word[word.length - 1] === word[word.length - 1].toLowerCase();
    if (!isLetter || startsWord) {
      if (word !== "") words.push(singular(word));
      word = "";
    }
    if (isLetter) word += character;
  }
  if (word !== "") words.push(singular(word));
  return words;
}

function singular(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > 3 && lower.endsWith("s") ? lower.slice(0, -1) : lower;
}
