/** One page of the reference: Markdown (GitHub's) that stands below a title of its own. */
export interface Page {
  /** Where it stands on the site, without slashes around it: `operations/send-email`. Empty for the first page. */
  address: string;
  title: string;
  /** One sentence: what the page is for. For search engines, for lists of pages, and for machines. */
  description: string;
  /** What the list of pages calls it, where the title is too long for that. */
  label?: string;
  /**
   * The page without its title. Links to other pages are written `site:errors#429-rate_limited`; whoever writes the page
   * out turns them into addresses.
   */
  text: string;
}

/** A group of pages in the order in which they are listed. */
export interface Section {
  title: string;
  pages: Page[];
}
