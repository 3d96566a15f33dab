/** Colours of the map for the current colour scheme. They are read from the style sheet, because sigma needs them as numbers. */

/** Number of colours for communities. The smaller communities share one further colour. */
const COLOURS = 10;
/** Share of the community's colour in a faded document; the rest is the background. */
const FADED = 0.18;
/** Share of the community's colour in a link, for few and for many links. Many links overlap, so each is fainter. */
const [LINK_OF_FEW, LINK_OF_MANY] = [0.5, 0.2];
const MANY_LINKS = 2000;

export function colourOf(community: number): string {
  return community >= 0 && community < COLOURS ? `var(--colour-${community})` : 'var(--low)';
}

/**
 * @param within an element of the map, from whose style the colours are read
 * @param links number of links that are drawn
 */
export function readColours(within: HTMLElement, links: number) {
  const probe = document.createElement('i');
  within.append(probe);
  const read = (colour: string): string => {
    probe.style.background = colour;
    return getComputedStyle(probe).backgroundColor;
  };
  const [back, text, accent] = [read('var(--back)'), read('var(--text)'), read('var(--accent)')];
  const own = [...Array.from({ length: COLOURS }).keys(), -1].map((community) => read(colourOf(community)));
  probe.remove();
  const among = (colours: readonly string[]) => (community: number) => colours[community] ?? colours.at(-1)!;
  const mixedBy = (share: number) => among(own.map((colour) => mixed(colour, back, share)));
  return {
    back,
    text,
    /** Colour of the links of the open document. */
    link: mixed(accent, back, LINK_OF_FEW),
    of: among(own),
    /** Colour of a document that is not highlighted. */
    faded: mixedBy(FADED),
    /** Colour of a link, by the community of both documents; −1 if they are in two communities. */
    linkIn: mixedBy(links < MANY_LINKS ? LINK_OF_FEW : LINK_OF_MANY),
  };
}

/** Mixes two colours, both as `rgb(1, 2, 3)`. @param share weight of `colour`, 0–1 */
function mixed(colour: string, other: string, share: number): string {
  const [a, b] = [colour, other].map((each) => each.match(/[\d.]+/g)!.map(Number));
  const [red, green, blue] = [0, 1, 2].map((at) => Math.round(a![at]! * share + b![at]! * (1 - share)));
  return `rgb(${red}, ${green}, ${blue})`;
}
