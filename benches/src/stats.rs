//! What a set of samples amounts to.
//!
//! No samples amount to NaN, which meets no goal.

/// Returns the middle sample; of an even number the lower one of the middle two.
pub(crate) fn median(samples: &[f64]) -> f64 {
    percentile(samples, 50)
}

/// Returns the sample that 99 % of the samples do not exceed.
pub(crate) fn p99(samples: &[f64]) -> f64 {
    percentile(samples, 99)
}

/// Returns the geometric mean of positive samples.
pub(crate) fn geometric_mean(samples: &[f64]) -> f64 {
    let (logarithms, count) = samples.iter().fold((0.0, 0.0), |(sum, count), sample| {
        (sum + sample.ln(), count + 1.0)
    });
    f64::exp(logarithms / count)
}

/// Returns the nearest-rank percentile.
fn percentile(samples: &[f64], percent: usize) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_does_not_depend_on_the_order() {
        assert_eq!(median(&[9.0, 1.0, 5.0]).to_bits(), 5.0_f64.to_bits());
        assert_eq!(median(&[4.0, 3.0, 2.0, 1.0]).to_bits(), 2.0_f64.to_bits());
    }

    #[test]
    fn p99_leaves_out_one_sample_of_a_hundred_and_none_of_sixty() {
        let hundred: Vec<f64> = (1..=100_u32).map(f64::from).collect();
        assert_eq!(p99(&hundred).to_bits(), 99.0_f64.to_bits());
        assert_eq!(p99(&hundred[..60]).to_bits(), 60.0_f64.to_bits());
    }

    #[test]
    fn the_geometric_mean_of_a_half_and_two_is_one() {
        assert!((geometric_mean(&[0.5, 2.0]) - 1.0).abs() < 1e-12);
        assert!((geometric_mean(&[1.0, 8.0, 27.0]) - 6.0).abs() < 1e-12);
    }

    #[test]
    fn no_samples_are_not_a_number() {
        assert!(median(&[]).is_nan());
        assert!(geometric_mean(&[]).is_nan());
    }
}
