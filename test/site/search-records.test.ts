import { expect, test } from 'vitest';
import { searchRecords } from '../../tools/site/search-records.ts';

test('[SITE-10] each part of a page has one record, also where a text comes before the title or a second title follows', () => {
  const page = { path: 'lead.html', title: 'Lead' };
  const title = '<p>Before</p><h1 id="lead">Lead</h1><p>a team</p>';
  const parts = '<h2 id="takt">Takt</h2><p>time</p><h1 id="more">More</h1><p>of it</p>';
  expect(searchRecords(page, title + parts)).toEqual([
    { id: 'lead.html', page: 'Lead', heading: '', text: 'Before a team' },
    { id: 'lead.html#takt', page: 'Lead', heading: 'Takt', text: 'time' },
    { id: 'lead.html#more', page: 'Lead', heading: 'More', text: 'of it' },
  ]);
});
